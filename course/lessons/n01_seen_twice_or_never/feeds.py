"""How rows reach replicas: one job, what a run of it shows, and known outcomes of it.

The truth is recorded from TensorFlow on one device. The closed forms give the RESULT
of a known mistake, so that a check can recognise it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from course.checks.exercises import Difference, Mistake, Observation
from course.lessons.n01_seen_twice_or_never.epochs import Epoch, record_epoch
from course.runs.devices import virtual_devices
from course.runs.recording import Ids

DEVICES = 4  # what every notebook's first cell makes
Batches = list[Ids]
Steps = list[list[Ids]]  # one tuple of row numbers for each replica


@dataclass(frozen=True)
class Feed:
    """One epoch to be fed: numbered rows, the global batch, the number of replicas."""

    rows: int
    batch: int
    replicas: int

    @property
    def all_rows(self) -> range:
        """The numbers of all rows."""
        return range(self.rows)

    @property
    def shard_0(self) -> range:
        """Every n-th row, for n replicas: the first of n shards."""
        return range(0, self.rows, self.replicas)

    def __str__(self) -> str:
        return f"{self.rows} rows, batch {self.batch}, {self.replicas} replicas"

    @property
    def share(self) -> int:
        """The per-replica batch."""
        return self.batch // self.replicas


def draw(rng: np.random.Generator) -> list[Feed]:
    """Draw epochs whose rows never divide by the batch, on 4, 2 and 3 replicas."""
    # a last batch that leaves a replica empty in the first two, not in the third, in
    # which the replicas can take three batches in turn, the smaller one included
    # full batches; with both 3, replicas that take whole batches in turn miss none
    four, two = ((2, 2), (2, 3), (3, 2))[int(rng.integers(3))]
    return [
        Feed(8 * four + int(rng.choice([5, 6])), 8, 4),
        Feed(8 * two + 1, 8, 2),
        Feed(24 + int(rng.integers(9, 12)), 12, 3),
    ]


def batches(
    rows: Sequence[int], size: int, *, steps: int = 1, whole: bool = False
) -> Batches:
    """Return every `steps`-th batch of `size` rows; `whole` drops a smaller last."""
    cut = [tuple(rows[i : i + size]) for i in range(0, len(rows), size)]
    return [part for part in cut[::steps] if not whole or len(part) == size]


def same(parts: Batches, feed: Feed) -> Steps:
    """Give every replica each whole batch, as run does with a plain dataset."""
    return [[part] * feed.replicas for part in parts]


def split(parts: Batches, feed: Feed) -> Steps:
    """Split each batch among the replicas, as a distributed dataset does."""
    steps = []
    for part in parts:
        size = -(-len(part) // feed.replicas)
        steps.append([part[r * size : (r + 1) * size] for r in range(feed.replicas)])
    return steps


def in_turn(parts: Batches, feed: Feed) -> Steps:
    """Let the replicas take whole batches in turn; in the last step some get none."""
    n = feed.replicas
    filled = parts + [()] * (-len(parts) % n)
    return [filled[i : i + n] for i in range(0, len(filled), n)]


def full_turns(parts: Batches, feed: Feed) -> Steps:
    """Do as `in_turn` does where no replica can get none: drop a step not filled.

    That is so for single rows, for drop_remainder, and for next() inside run.
    """
    n = feed.replicas
    return [parts[i : i + n] for i in range(0, len(parts) - n + 1, n)]


def observe(stages, feed: Feed) -> Observation:
    """Run one epoch for real, on fresh replicas, and observe which rows came when."""
    devices = virtual_devices(DEVICES)[: feed.replicas]
    return observation(feed, record_epoch(stages, feed.rows, feed.batch, devices))


def expect(feed: Feed) -> Observation:
    """Return what must show: in each step the rows one device has in it."""
    stages = [lambda data, strategy, batch: data.batch(batch)]
    one = virtual_devices(DEVICES)[:1]
    alone = record_epoch(stages, feed.rows, feed.batch, one)
    return Observation(alone.times_seen().astype(np.float64), _counts(0, False))


def observation(feed: Feed, epoch: Epoch) -> Observation:
    """Return how often each row came in each step, and by how much a share is too big.

    The values have the shape (steps, rows). Which replica has a row is free, as long
    as none has more than its share of the batch. All endless pipelines look alike.
    """
    if epoch.cut:
        return Observation(np.zeros((0, feed.rows)), _counts(0, True))
    longest = max((len(shard) for step in epoch.ids for shard in step), default=0)
    extra = max(0, longest + (-feed.batch // feed.replicas))
    return Observation(epoch.times_seen().astype(np.float64), _counts(extra, False))


def _counts(extra: int, cut: bool) -> dict[str, tuple[int, ...]]:
    return {"rows above the share": (extra,), "stopped": (int(cut),)}


def feed_mistakes(
    known: Mapping[str, tuple[Callable[[Feed], Steps], str]],
) -> tuple[Mistake, ...]:
    """Return mistakes, from code -> (what replicas are given after it, its cause)."""

    def observed(given: Callable[[Feed], Steps], feed: Feed) -> Observation:
        ids = tuple(tuple(step) for step in given(feed))
        return observation(feed, Epoch("", feed.rows, feed.batch, ids))

    return tuple(
        Mistake(code, cause, partial(observed, given))
        for code, (given, cause) in known.items()
    )


def endless_mistake(cause: str) -> Mistake:
    """Return the mistake of a pipeline that has no end."""
    return Mistake(
        "never_ends",
        cause,
        lambda feed: Observation(np.zeros((0, feed.rows)), _counts(0, True)),
    )


def compare(feed: Feed, got: Observation, truth: Observation) -> Difference:
    """Describe which promise an epoch broke, then the first row or step of it."""
    expected = (
        "Expected: every row once, in each step the rows that one device has in it, "
        f"and at most {-(-feed.batch // feed.replicas)} rows on a replica."
    )
    if got.counts["stopped"] == (1,):
        return Difference(
            "The pipeline did not end: it was stopped after more than an epoch.",
            expected,
        )
    times = got.values.sum(axis=0).astype(int)
    often, never = np.flatnonzero(times > 1), np.flatnonzero(times == 0)
    said, where = [], []
    if len(often):
        up_to = "up to " if len(set(times[often])) > 1 else ""
        said.append(f"{_part(often, feed)} appeared {up_to}{int(times.max())} times")
        where.append(f"row {often[0]} appeared {times[often[0]]} times")
    if len(never):
        none = len(never) == feed.rows
        some = f"{_part(never, feed)} never appeared"
        said.append("no row ever appeared" if none else some)
        where.append(f"row {never[0]} never appeared")
    if said:
        return Difference(
            _sentence(" and ".join(said)), expected, f"First: {', '.join(where)}."
        )
    if got.values.shape != truth.values.shape or (got.values != truth.values).any():
        return _other_steps(got.values, truth.values, expected)
    extra = got.counts["rows above the share"][0]
    return Difference(
        "Each step has the right rows, but a replica was given "
        f"{feed.share + extra} of them: the work is not shared.",
        expected,
    )


def _other_steps(got: np.ndarray, truth: np.ndarray, expected: str) -> Difference:
    pairs = zip(got, truth, strict=False)
    step = next((i for i, (a, b) in enumerate(pairs) if (a != b).any()), 0)
    came, wanted = (np.flatnonzero(part[step]).tolist() for part in (got, truth))
    steps = f"{len(got)} step{'s' if len(got) > 1 else ''}"
    how = f"in {steps}; one device takes {len(truth)}"
    if len(got) == len(truth):
        how = "some in a different step than on one device"
    return Difference(
        f"Every row appeared once, but {how}.",
        expected,
        f"Step {step} had the rows {came} instead of {wanted}.",
        {"step": step},
    )


def _part(rows: np.ndarray, feed: Feed) -> str:
    if len(rows) == feed.rows:
        return f"all {feed.rows} rows"
    return f"{len(rows)} of {feed.rows} rows"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
