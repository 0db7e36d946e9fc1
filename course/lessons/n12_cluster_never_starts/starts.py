"""Hosts for TF_CONFIGs: read the texts, start real clusters with them, compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Observation
from course.lessons.n12_cluster_never_starts.cluster_starts import start_cluster
from course.lessons.n12_cluster_never_starts.texts import (
    MISSING,
    NO_CLUSTER,
    NO_JSON,
    NO_LIST,
    NO_TEXT,
    OBJECT,
    OTHER_JSON,
    UNKNOWN,
    WITHOUT_PORT,
    may_start,
    reading,
)

NOT_STARTED = -1.0
KINDS = {
    NO_TEXT: "is no text",
    NO_JSON: "can't be read as JSON",
    NO_CLUSTER: "has no cluster",
    OTHER_JSON: "is JSON, but no object",
    NO_LIST: "has a cluster without lists of addresses",
}
TASKS = {0: "no type", 1: "type worker", 2: "type chief", UNKNOWN: "another type"}
ENTRIES = {WITHOUT_PORT: "a host without port", UNKNOWN: "an unknown address"}


@dataclass(frozen=True)
class Addresses:
    """The hosts that a function is given.

    names: as drawn; where `starts`, the ports are those that are free then.
    order: which of the cluster's hosts stands where.
    """

    names: tuple[str, ...]
    starts: bool
    order: tuple[int, ...]

    def __str__(self) -> str:
        count = len(self.names)
        if self.starts:
            return f"{count} hosts on 127.0.0.1"
        return f"the {count} hosts {', '.join(self.names)}"


def draw(rng: np.random.Generator) -> list[Addresses]:
    """Draw two clusters to be started, and hosts with names, which are only read."""
    port, first = int(rng.integers(2000, 9000)), int(rng.integers(8, 10))
    names = [f"node-{first + i}.lab:{port + int(rng.integers(50))}" for i in range(4)]
    order = (2, 0, 3, 1) if rng.integers(2) else (1, 3, 0, 2)
    cases = []
    for turned in ((1, 0), (1, 2, 0)):
        local = tuple(f"127.0.0.1:{port + i}" for i in turned)
        cases.append(Addresses(local, True, turned))
    cases.insert(1, Addresses(tuple(names[i] for i in order), False, order))
    return cases


def observe(function: Callable, case: Addresses) -> Observation:
    """Read what the function returns; start a cluster with it where that makes sense.

    Raises:
        TypeError: it does not return one text for each host.
    """
    if not case.starts:
        texts = _texts(function(list(case.names)), len(case.names))
        return observation(case, texts, _together(case))
    told = {}

    def configs(ports: list[str]) -> list[str]:
        hosts = [ports[i] for i in case.order]
        texts = _texts(function(list(hosts)), len(hosts))
        told.update(hosts=hosts, texts=texts)
        if not may_start(texts, hosts):
            raise _Senseless
        return texts

    try:
        start = start_cluster(_add_up, configs, workers=len(case.order))
    except _Senseless:
        return _observation(told["texts"], told["hosts"], None)
    values = [member.value or (NOT_STARTED, NOT_STARTED) for member in start.members]
    return _observation(told["texts"], told["hosts"], values)


class _Senseless(Exception):
    """These texts can't start a cluster: the check says why without trying."""


def _add_up(number: int) -> tuple[int, float]:
    """In every worker: return how many replicas there are, and a sum over them."""
    import tensorflow as tf

    strategy = tf.distribute.MultiWorkerMirroredStrategy()

    def add() -> tf.Tensor:
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", tf.constant(2.0**number))

    total = strategy.run(tf.function(add))
    return strategy.num_replicas_in_sync, float(total)


def _together(case: Addresses) -> list[tuple[float, float]]:
    """Return what every worker says of a cluster that has come together."""
    count = len(case.names)
    return [(count, 2.0**count - 1)] * count


def observation(
    case: Addresses, texts: Sequence[object], values: list[tuple] | None = None
) -> Observation:
    """Return what an answer gives that returns these texts for the names of a case."""
    fits = may_start(texts, case.names)
    return _observation(texts, case.names, values if fits else None)


def _observation(texts, hosts, values: list[tuple] | None) -> Observation:
    """Put what the texts say, and what came of the start, in one row.

    Of texts that fit, only what came counts: there is more than one way to write them.
    """
    readings = [reading(text, hosts) for text in texts]
    if values is not None:
        readings = [(0,) * len(each) for each in readings]
    came = values or [(NOT_STARTED, NOT_STARTED)] * len(texts)
    return Observation(np.array([*np.ravel(readings), *np.ravel(came)], dtype=float))


def _texts(result: object, count: int) -> list[object]:
    wanted = f"a list of {count} TF_CONFIG texts, one for each host"
    if result is None:
        raise TypeError(f"the function returned None; it must return {wanted}")
    if isinstance(result, str | dict) or not hasattr(result, "__len__"):
        kind = type(result).__name__
        raise TypeError(f"the function returned one {kind}; it must return {wanted}")
    if len(result) != count:
        raise TypeError(
            f"the function returned {len(result)} texts; it must return {wanted}"
        )
    return list(result)


def compare(case: Addresses, got: Observation, truth: Observation) -> Difference:
    """Say what the texts say, or what came of the start."""
    count, width = len(case.names), len(case.names) + 5
    readings = got.values[: count * width].reshape(count, width)
    came = got.values[count * width :].reshape(count, 2)
    expected = (
        f"Expected: a cluster in which each of the {count} workers counts {count} "
        "replicas and all add up together."
    )
    if readings.any():
        said = "; ".join(f"worker {k}'s {_said(r)}" for k, r in enumerate(readings))
        return Difference(f"No cluster was started. It returned: {said}.", expected)
    said = "; ".join(
        f"worker {k} "
        + ("did not come to the end" if n < 0 else f"counted {n:g} and got {total:g}")
        for k, (n, total) in enumerate(came)
    )
    return Difference(f"A real cluster was started: {said}.", expected)


def _said(numbers: np.ndarray) -> str:
    """Say in words what one text says."""
    kind, task, index, count, *entries = numbers.astype(int)
    if kind != OBJECT:
        return KINDS[kind]
    index = {MISSING: "no index", UNKNOWN: "no number as index"}.get(
        index, f"index {index}"
    )
    named = [ENTRIES.get(e) or f"hosts[{e}]" for e in entries[:count]]
    more = ", ..." if count > len(entries) else ""
    return f"text says {TASKS[task]}, {index}, addresses [{', '.join(named)}{more}]"


def right(hosts: Sequence[str]) -> list[str]:
    """Return the texts as one would write them."""
    return [config(hosts, index) for index in range(len(hosts))]


def config(hosts: object, index: object, kind: str = "worker", **more: object) -> str:
    """Return one text, with a task of this type and index."""
    task = {"type": kind, "index": index}
    return json.dumps({"cluster": {"worker": list(hosts)}, "task": task, **more})


def expect(case: Addresses) -> Observation:
    """Return what the right texts give."""
    return observation(case, right(case.names), _together(case))


def observe_texts(function: Callable, case: Addresses) -> Observation:
    """Return what a function gives whose texts are known to start no cluster."""
    return observation(case, function(list(case.names)))
