"""What TensorFlow does at the start with TF_CONFIGs: rules, proven by real starts.

A process with index 0 waits until each task of its own list has called. All others
call the first address of their own list and send their index. In the first all-reduce,
each asks the one before it in the list; the first asks the last.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from course.checks.places import Found

Told = tuple[list[str], int]  # a worker's list and index; ([], -1): no cluster


def read(text: str) -> Told:
    """Return the list of workers and the index in a TF_CONFIG; [] and -1 where none."""
    config = json.loads(text)
    hosts = config.get("cluster", {}).get("worker", [])
    return hosts, config["task"]["index"] if hosts else -1


def waiting_for(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (process, task): one that waits for calls, and a task that never calls."""
    told = [read(text) for text in texts]
    calls = {(hosts[0], index) for hosts, index in told if index in range(len(hosts))}
    for worker, (hosts, index) in enumerate(told):
        if index == 0:
            tasks = range(len(hosts))
            yield from ((worker, t) for t in tasks if (hosts[0], t) not in calls)


def missing_call(texts: Sequence[str]) -> Found:
    """Return the first process that waits forever, and the smallest task it misses."""
    return next(waiting_for(texts), None)


@dataclass(frozen=True)
class Foreseen:
    """What comes of a start of two or three workers.

    counted: how many replicas each counts; 0: it has no strategy.
    in_vain: worker -> the address at which it looks in vain for the worker before it,
        in the first all-reduce; it gets an error that names this address.
    odd: whether the workers' lists differ in length: all of them get an error.
    """

    counted: tuple[int, ...]
    in_vain: Mapping[int, str]
    odd: bool


def foreseen(texts: Sequence[str]) -> Foreseen:
    """Return what comes of a start in which no two workers have the same address."""
    told = [read(text) for text in texts]
    at = [hosts[index] if -1 < index < len(hosts) else "" for hosts, index in told]
    leaders = {at[w]: w for w, (_, index) in enumerate(told) if index == 0}
    waits = {worker for worker, _ in waiting_for(texts)}
    counted = []
    for place, (hosts, index) in zip(at, told, strict=True):
        leader = leaders.get(hosts[0] if hosts else "")
        called = leader is not None and leader not in waits and bool(place)
        known = called and index < len(told[leader][0])
        counted.append(1 if not hosts else len(hosts) if known else 0)
    group = [w for w, count in enumerate(counted) if count > 1]
    if len({counted[w] for w in group}) > 1:
        return Foreseen(tuple(counted), {}, True)
    in_vain = {}
    for worker in group:
        hosts, index = told[worker]
        before = (index - 1) % len(hosts)
        if hosts[before] not in [at[w] for w in group if told[w][1] == before]:
            in_vain[worker] = hosts[before]
    return Foreseen(tuple(counted), in_vain, False)
