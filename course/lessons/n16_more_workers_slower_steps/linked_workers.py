"""Workers over links, in stages: between two of them, messages are counted.

In an all-reduce of two workers, each adds up one half of the numbers. Over the link of
worker 1, worker 0 fetches the numbers of its half, and then the sums of the other half:
two messages. What fits into 64 bytes is not cut into halves: one message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from course.checks.failures import StepFailed
from course.runs.cluster import Cluster, ClusterRun
from course.runs.cluster.gates import Gates
from course.runs.cluster.link import Links

SECONDS = 10.0  # of processor time; a right answer needs about 3
PIECE = 64  # bytes
TRIES = 2  # TensorFlow's collectives waited for ever once in a hundred runs


@dataclass(frozen=True)
class LinkedRun:
    """What workers returned, and what went over their links.

    values: of each worker.
    requests: [stage][worker]: how many requests came to that worker's link.
    passed: [stage][worker]: bytes over that worker's link, both ways together.
    """

    values: list
    requests: tuple[tuple[int, ...], ...]
    passed: tuple[tuple[int, ...], ...]

    @property
    def messages(self) -> tuple[int, ...]:
        """Messages that worker 0 fetched over worker 1's link, in each stage."""
        return tuple(stage[1] for stage in self.requests)


def messages_for(size: int) -> int:
    """Return how many messages an all-reduce of `size` bytes fetches over one link."""
    return min(2, -(-size // PIECE))


def run_linked(
    function: Callable[..., object],
    *arguments: object,
    delays: Sequence[Sequence[float]],
    bandwidth: float | None = None,
    losses: Sequence[float] = (),
) -> LinkedRun:
    """Run `function(gate, *arguments)` in workers, each behind a link of its own.

    The function calls `gate.wait(stage)` at the beginning of each stage, and once more
    at the end.

    Args:
        function: runs in each worker.
        *arguments: what else it is called with, the same everywhere.
        delays: [stage][worker]: seconds that each byte takes over that worker's link,
            one way.
        bandwidth: bytes a second of each link, in the last stage.
        losses: [worker]: share of the pieces that its link loses in the last stage.

    Raises:
        StepFailed: a worker stopped with an error, or waits for ever.
    """
    for _ in range(TRIES):
        run, counts = _run(function, arguments, delays, bandwidth, losses)
        if run.worked_on or not _only_waits(run):
            break
    if _only_waits(run):
        raise StepFailed(_of_waiting(run))
    values = run.values()
    if len(counts) != len(delays) + 1:
        raise RuntimeError("a worker returned before it had passed all gates")
    requests, passed = (_of_stages([each[i] for each in counts]) for i in (0, 1))
    return LinkedRun(values, requests, passed)


def _of_stages(counts: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """[stage][worker]: what was added in it, from what was counted at each gate."""
    return tuple(
        tuple(b - a for a, b in zip(before, after, strict=True))
        for before, after in pairwise(counts)
    )


def _run(
    function: Callable,
    arguments: tuple,
    delays: Sequence[Sequence[float]],
    bandwidth: float | None,
    losses: Sequence[float],
) -> tuple[ClusterRun, list[tuple[list[int], list[int]]]]:
    workers, counts = len(delays[0]), []
    slow = [*delays, [0.0] * workers]  # the last gate is the end
    with (
        Cluster({"worker": workers}, seconds=SECONDS) as cluster,
        Links(cluster) as links,
    ):

        def action(stage: int) -> Callable[[], None]:
            def act() -> None:
                behind = [links[name] for name in links]
                requests = [link.requests for link in behind]
                counts.append((requests, [link.passed for link in behind]))
                for name, delay in zip(links, slow[stage], strict=True):
                    links[name].delay = delay
                last = stage == len(delays) - 1
                for name, loss in zip(links, losses, strict=False):
                    links[name].loss = last * loss
                for name in links:
                    links[name].bandwidth = bandwidth if last else None

            return act

        with Gates(workers, [action(stage) for stage in range(len(slow))]) as gates:
            cluster.start(function, gates.gate, *arguments, configs=links.configs)
            # one that ends before the last gate has failed: the others would wait
            cluster.wait_until(lambda: _failed(cluster, gates, workers))
            return cluster.finish(), counts


def _failed(cluster: Cluster, gates: Gates, workers: int) -> bool:
    running = len(cluster.running())
    return running == 0 or (running < workers and not gates.all_open)


def _of_waiting(run: ClusterRun) -> tuple[str, ...]:
    names = [end.name for end in run.ends if end.outcome == "waited"]
    return (
        f"{' and '.join(names).capitalize()} did not come to an end and had to be "
        "stopped.",
        "Either a loop in it never ends, or it waits for another worker: all must make "
        "the same all-reduces, in the same order.",
    )


def _only_waits(run: ClusterRun) -> bool:
    return {end.outcome for end in run.ends} <= {"waited", "returned"} and any(
        end.outcome == "waited" for end in run.ends
    )
