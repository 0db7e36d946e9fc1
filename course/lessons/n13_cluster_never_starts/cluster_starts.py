"""Start real clusters with given TF_CONFIGs; record who listened where, what came.

While TensorFlow waits for other workers, no Python runs in a worker. So its ports are
read from outside.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import psutil

from course.checks.working import working
from course.lessons.n13_cluster_never_starts.written import (
    PROCESSES,
    letters_of,
    texts_of,
)
from course.runs.cluster import Cluster, End, note

LONGEST = 200  # characters of an error that are kept
_ABORTED = re.compile(r"Collective ops is aborted by: (.*)")
# Seconds in which nobody is at work, after which nobody ever will be. Nobody sleeps to
# try again but who calls in vain: whoever waits to be called is there first (`_order`).
QUIET = 1.5
LOOK = 0.2  # seconds
AT_ONCE = 8  # workers, for the memory that they take

Configs = Callable[[list[str], str], Sequence[str | None]]


@dataclass(frozen=True)
class Job:
    """Workers to be started.

    configs: called with their hosts and an address at which nobody listens; returns a
        TF_CONFIG for each.
    label: how figures name it.
    """

    configs: Configs
    label: str
    workers: int = 2


@dataclass(frozen=True)
class Member:
    """One worker of a start.

    config: its TF_CONFIG; None: the variable was not set.
    listens: the ports on which TensorFlow waited for calls there.
    outcome: "returned", "raised", "waited", "left" or "killed".
    error: the error's class and words, or "".
    line: where it stood when it was stopped, or "".
    value: what its function returned.
    reached: the ports to which its calls came through, its own among them.
    facts: what it has told by `note`.
    log: what TensorFlow wrote, where it writes a log.
    """

    config: str | None
    listens: tuple[int, ...]
    outcome: str
    error: str = ""
    line: str = ""
    value: object = None
    reached: tuple[int, ...] = ()
    facts: Mapping[str, object] | None = None
    log: str = ""


@dataclass(frozen=True)
class ClusterStart:
    """What came of starting workers on 127.0.0.1.

    label: how figures name it.
    at: letter -> address; a, b, ...: where process A, B, ... run; x: nobody.
    """

    label: str
    at: Mapping[str, str]
    members: tuple[Member, ...]

    @property
    def processes(self) -> dict[str, Member]:
        """The members by the name of their process: "A", "B", ..."""
        return dict(zip(PROCESSES, self.members, strict=False))

    @property
    def lists(self) -> list[list[str]]:
        """The addresses of all workers as each TF_CONFIG has them."""
        return [_cluster(member.config).get("worker", []) for member in self.members]


def start_cluster(
    work: Callable[..., object],
    tf_configs: str | Callable[[str, list[str]], str | None],
    *arguments: object,
    workers: int = 2,
    label: str = "",
    meanwhile: Callable[[list[str | None]], object] | None = None,
) -> ClusterStart:
    """Run `work(number, *arguments)` in real processes until all end or nothing moves.

    Args:
        work: what each process runs; `number` is 0 in process A.
        tf_configs: the TF_CONFIGs in short, such as "ab 0, xb 1"; or called with each
            worker's own address and those of the others, it returns its TF_CONFIG.
        *arguments: given to `work`.
        workers: how many, where `tf_configs` is a function.
        label: how figures name it; the texts or the function's name by default.
        meanwhile: called with the TF_CONFIGs while the workers are there.
    """
    if isinstance(tf_configs, str):
        job = written_job(tf_configs, label)
    else:
        job = Job(_each(tf_configs), label or tf_configs.__name__, workers)
    (start,) = start_clusters(work, [job], *arguments, meanwhile=meanwhile)
    return start


def written_job(short: str, label: str = "") -> Job:
    """Return the job with the TF_CONFIGs of `short`, such as "ab 0, xb 1"."""

    def configs(hosts: list[str], nobody: str) -> list[str]:
        return texts_of(short, letters_of(hosts, nobody))

    return Job(configs, label or short, len(short.split(", ")))


def _each(write: Callable[[str, list[str]], str | None]) -> Configs:
    def configs(hosts: list[str], nobody: str) -> list[str | None]:
        others = [[host for host in hosts if host != own] for own in hosts]
        return [write(own, rest) for own, rest in zip(hosts, others, strict=True)]

    return configs


def start_clusters(
    work: Callable[..., object],
    jobs: Sequence[Job],
    *arguments: object,
    meanwhile: Callable[[list[str | None]], object] | None = None,
) -> list[ClusterStart]:
    """Run several jobs, as many at a time as there is room for; see `start_cluster`."""
    starts, left = [], list(jobs)
    while left:
        now = [left.pop(0)]
        while left and sum(job.workers for job in [*now, left[0]]) <= AT_ONCE:
            now.append(left.pop(0))
        with working(_progress(len(starts), len(now), len(jobs))):
            starts += _start_at_once(work, now, arguments, meanwhile)
    return starts


def _progress(done: int, now: int, jobs: int) -> str:
    """Return which of the jobs start now: several do so at once."""
    if now == 1:
        return f"start {done + 1} of {jobs}"
    return f"starts {done + 1} to {done + now} of {jobs}"


def _start_at_once(work, jobs: list[Job], arguments, meanwhile) -> list[ClusterStart]:
    tasks = {"worker": sum(job.workers for job in jobs), "ps": len(jobs)}
    with Cluster(tasks, quiet=QUIET) as cluster:
        hosts = iter(cluster.hosts["worker"])
        places = [
            letters_of(list(islice(hosts, job.workers)), nobody)
            for job, nobody in zip(jobs, cluster.hosts["ps"], strict=True)
        ]
        texts = [
            list(job.configs([*at.values()][:-1], at["x"]))
            for job, at in zip(jobs, places, strict=True)
        ]
        given = [(k, text) for own in texts for k, text in enumerate(own)]
        names = [f"worker {k}" for k in range(len(given))]
        for some in _order([text for _, text in given]):
            for each in some:
                number, text = given[each]
                call = (_inside, work, number, *arguments)
                cluster.start(*call, only=[names[each]], configs={names[each]: text})
            _wait_for(cluster, [names[each] for each in some])
        for own in texts if meanwhile else ():
            meanwhile(own)
        cluster.wait_until(lambda: not cluster.running())
        seen = {name: _connections(cluster.pid(name)) for name in names}
        run = cluster.finish()
    members = iter(
        _member(text, seen[name], run[name])
        for name, (_, text) in zip(names, given, strict=True)
    )
    return [
        ClusterStart(job.label, at, tuple(islice(members, job.workers)))
        for job, at in zip(jobs, places, strict=True)
    ]


def _order(texts: Sequence[str | None]) -> list[list[int]]:
    """Return who starts first, and who then: none is called before it can listen.

    TensorFlow would try again, after seconds that grow with those that have passed; on
    a slow machine nobody could say from when on there is nothing to wait for.
    """
    waits = [task_of(text).get("index") in (0, "0") for text in texts]
    both = (
        [k for k, way in enumerate(waits) if way is first] for first in (True, False)
    )
    return [some for some in both if some]


def _wait_for(cluster: Cluster, names: Sequence[str]) -> None:
    """Wait until these workers listen, or have ended."""

    def is_up(name: str) -> bool:
        return name not in cluster.running() or bool(_connections(cluster.pid(name))[0])

    cluster.wait_until(lambda: all(map(is_up, names)))


def _inside(work: Callable, number: int, *arguments: object) -> object:
    """In a worker: do its work; tell the words of an error."""
    # Python's lock is TensorFlow's while it waits for others. Threads that want it look
    # every so often whether it is free: with the usual 5 ms they seem to be at work
    sys.setswitchinterval(LOOK)
    try:
        return work(number, *arguments)
    except Exception as error:
        note(says=_own_words(str(error)))
        raise


def _own_words(text: str) -> str:
    """Return the part of an error's text that says most: it may have 30 lines."""
    found = _ABORTED.search(text)
    first, *more = (text.strip() or "no words").splitlines()
    # a value over many lines: what is wrong with it stands in the last
    whole = f"{first} ... {more[-1]}" if more and first[-1] in "([{" else first
    words = found[1] if found else whole
    return words if len(words) <= LONGEST else words[: LONGEST - 3] + "..."


def _connections(pid: int) -> tuple[list[int], list[int]]:
    """Return the ports on which a process listens, and those that it has called."""
    try:
        found = psutil.Process(pid).net_connections("tcp")
    except psutil.Error:
        return [], []
    listens = {each.laddr.port for each in found if each.status == psutil.CONN_LISTEN}
    reached = {
        each.raddr.port
        for each in found
        if each.status == psutil.CONN_ESTABLISHED and each.laddr.port not in listens
    }
    return sorted(listens), sorted(reached)


def _member(config: str | None, seen: tuple[list[int], list[int]], end: End) -> Member:
    listens, reached = map(tuple, seen)
    said = end.facts.get("says", "")
    error = f"{end.error}: {said}" if end.outcome == "raised" else ""
    line = end.line if end.outcome == "waited" else ""
    own = (config, listens, end.outcome, error, line, end.value)
    return Member(*own, reached, end.facts, end.log)


def _cluster(config: str | None) -> dict[str, list[str]]:
    return _part(config, "cluster")


def task_of(config: str | None) -> dict[str, object]:
    """Return the worker's own task in a TF_CONFIG; {} where it can't be read."""
    return _part(config, "task")


def _part(config: str | None, name: str) -> dict:
    try:
        return dict(json.loads(config or "{}").get(name, {}))
    except (ValueError, TypeError, AttributeError):
        return {}
