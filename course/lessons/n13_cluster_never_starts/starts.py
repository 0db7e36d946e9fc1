"""Hosts for TF_CONFIGs: read the texts, start real clusters with them, compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Observation
from course.checks.failures import WrongReturn
from course.lessons.n13_cluster_never_starts.cluster_starts import Job, start_clusters
from course.lessons.n13_cluster_never_starts.texts import (
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
from course.lessons.n13_cluster_never_starts.written import PLACES, PROCESSES
from course.runs.cluster import note

NOT_STARTED = -1.0
TRIES = 2  # TensorFlow's collectives come to rest once in a hundred starts, when busy
KINDS = {
    NO_TEXT: "is not a string",
    NO_JSON: "can't be read as JSON",
    NO_CLUSTER: "has no cluster",
    OTHER_JSON: "is JSON, but not an object",
    NO_LIST: "has a cluster without lists of addresses",
}
TASKS = {0: "no type", 1: "type worker", 2: "type chief", UNKNOWN: "another type"}
ENTRIES = {WITHOUT_PORT: "a host without port", UNKNOWN: "an unknown address"}


@dataclass(frozen=True)
class Addresses:
    """Where a job's workers run.

    names: as drawn; where `starts`, the ports are those that are free then.
    order: in which others hear of each worker, but for itself.
    """

    names: tuple[str, ...]
    starts: bool
    order: tuple[int, ...]

    def __str__(self) -> str:
        count = len(self.names)
        where = "on 127.0.0.1" if self.starts else f"at {', '.join(self.names)}"
        return f"own and others, in each of {count} processes {where}"


class _Heard(str):
    """An address that a set orders differently for each worker, as in real processes.

    place: by which a set orders it.
    """

    place = 0

    def __hash__(self) -> int:
        return self.place


def texts_by(function: Callable, hosts: Sequence[str], order: Sequence[int]) -> list:
    """Return what `function(own, others)` returns on each of the workers."""
    texts = []
    for worker in range(len(hosts)):
        heard = [_Heard(host) for host in hosts]
        for k, host in enumerate(heard):
            host.place = (k + worker) % len(hosts)
        turned = [*order[worker:], *order[:worker]]
        others = [heard[k] for k in turned if k != worker]
        texts.append(_called(function, heard[worker], others))
    return texts


def _called(function: Callable, own: _Heard, others: list[_Heard]) -> object:
    try:
        return function(own, others)
    except KeyError:  # a dict of plain copies does not find `own`: its hash differs
        return function(str(own), list(map(str, others)))


def draw(rng: np.random.Generator) -> list[Addresses]:
    """Draw two clusters to be started, and hosts with names, which are only read."""
    port, first = int(rng.integers(2000, 9000)), int(rng.integers(8, 10))
    # one port for all, as is usual: who sorts by it has sorted nothing
    names = [f"node-{first + i}.lab:{port}" for i in range(4)]
    order = (2, 0, 3, 1) if rng.integers(2) else (1, 3, 0, 2)
    few = tuple(f"127.0.0.1:{port + i}" for i in range(3))
    return [
        Addresses(few[:2], True, (1, 0)),
        Addresses(tuple(names[i] for i in order), False, order),
        Addresses(few, True, (1, 2, 0)),
    ]


def observe(function: Callable, case: Addresses) -> Observation:
    """Read what the function returns; start a cluster with it where that makes sense.

    Raises:
        WrongReturn: it returns nothing.
    """
    if not case.starts:
        return _observation(_each(function, case.names, case), case.names)
    told = {}

    def configs(hosts: list[str], nobody: str) -> list[str]:
        texts = _each(function, hosts, case)
        told.update(hosts=hosts, texts=texts)
        if not may_start(texts, hosts):
            raise _Senseless
        return texts

    try:
        for _ in range(TRIES):
            (start,) = start_clusters(add_up, [Job(configs, "", len(case.order))])
            if all(member.outcome != "waited" for member in start.members):
                break
    except _Senseless:
        return _observation(told["texts"], told["hosts"])
    values = [member.value or (NOT_STARTED, NOT_STARTED) for member in start.members]
    return _observation(told["texts"], told["hosts"], values)


class _Senseless(Exception):
    """These texts can't start a cluster: the check says why without trying."""


def add_up(number: int) -> tuple[int, float]:
    """In every worker: return how many replicas there are, and a sum over them."""
    import tensorflow as tf

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    note(counted=strategy.num_replicas_in_sync)

    def add() -> tf.Tensor:
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", tf.constant(2.0**number))

    total = strategy.run(tf.function(add))
    return strategy.num_replicas_in_sync, float(total)


def _observation(
    texts: Sequence[object],
    hosts: Sequence[str],
    values: Sequence[tuple[float, float]] | None = None,
) -> Observation:
    """Put what the texts say, and what came of the start, in one row.

    Of texts that fit, only what came counts: there is more than one way to write them.
    """
    readings = [reading(text, hosts) for text in texts]
    if may_start(texts, hosts):
        readings = [(0,) * len(each) for each in readings]
    came = values or [(NOT_STARTED, NOT_STARTED)] * len(texts)
    return Observation(np.array([*np.ravel(readings), *np.ravel(came)], dtype=float))


def _each(function: Callable, hosts: Sequence[str], case: Addresses) -> list[object]:
    texts = texts_by(function, hosts, case.order)
    if any(text is None for text in texts):
        raise WrongReturn.of(None, "a TF_CONFIG text")
    return texts


def texts_from(result: object, count: int) -> list[object]:
    """Return an answer's texts as a list.

    Raises:
        WrongReturn: they are not `count` texts.
    """
    wanted = f"a list of {count} TF_CONFIG texts, one for each host"
    if result is None:
        raise WrongReturn.of(None, wanted)
    if isinstance(result, str | dict) or not hasattr(result, "__len__"):
        kind = type(result).__name__
        raise WrongReturn.of(result, wanted, f"one {kind}")
    if len(result) != count or not all(isinstance(text, str) for text in result):
        raise WrongReturn.of(result, wanted)
    return list(result)


def compare(case: Addresses, got: Observation, truth: Observation) -> Difference:
    """Describe the texts, or how the start with them ended."""
    count, width = len(case.names), len(case.names) + 5
    readings = got.values[: count * width].reshape(count, width)
    came = got.values[count * width :].reshape(count, 2)
    expected = (
        f"Expected: one cluster. Each of the {count} processes counts {count} replicas "
        f"and gets the sum {2**count - 1}."
    )
    if readings.any():
        said = f"{_described(readings)}. No cluster was started with that."
        return Difference(said, expected)
    said = "; ".join(
        f"{name} did not finish"
        if n < 0
        else f"{name} counted {n:g} replica{'s' * (n != 1)} and got {total:g}"
        for name, (n, total) in zip(PROCESSES, came, strict=False)
    )
    return Difference(f"A real cluster was started: {said}.", expected)


def _described(readings: np.ndarray) -> str:
    """Describe the texts of all processes: in short if possible, otherwise in words."""
    shorts = [_short(each.astype(int)) for each in readings]
    if all(shorts):
        return f'It returned "{", ".join(shorts)}"'
    said = [_said(each) for each in readings]
    if len(set(said)) == 1:
        return f"Each text {said[0]}"
    pairs = zip(PROCESSES, said, strict=False)
    return "; ".join(f"{name}'s text {each}" for name, each in pairs)


def _short(numbers: np.ndarray) -> str:
    """Return one text as the notebook writes it, such as "ab 0"; "" where it can't."""
    kind, task, index, count, *entries = numbers
    listed = entries[:count]
    plain = kind == OBJECT and TASKS.get(task) == "type worker" and index >= 0
    if not plain or count > len(entries) or min(listed, default=-1) < 0:
        return ""
    return f"{''.join(PLACES[entry] for entry in listed)} {index}"


def _said(numbers: np.ndarray) -> str:
    """Describe what one text says, in words."""
    kind, task, index, count, *entries = numbers.astype(int)
    if kind != OBJECT:
        return KINDS[kind]
    index = {MISSING: "no index", UNKNOWN: "an index that is not a number"}.get(
        index, f"index {index}"
    )
    named = [ENTRIES.get(e) or PLACES[e] for e in entries[:count]]
    more = ", ..." if count > len(entries) else ""
    return f"has {TASKS[task]}, {index}, addresses [{', '.join(named)}{more}]"


def right(hosts: Sequence[str]) -> list[str]:
    """Return the texts as one would write them."""
    return [config(hosts, index) for index in range(len(hosts))]


def config(hosts: object, index: object, kind: str = "worker", **more: object) -> str:
    """Return one text, with a task of this type and index."""
    task = {"type": kind, "index": index}
    return json.dumps({"cluster": {"worker": list(hosts)}, "task": task, **more})


def expect(case: Addresses) -> Observation:
    """Return what the right texts give."""
    return _foresee(case, right(case.names))


def observe_texts(function: Callable, case: Addresses) -> Observation:
    """Return what a function gives; texts that fit are taken to start a cluster."""
    return _foresee(case, texts_by(function, case.names, case.order))


def _foresee(case: Addresses, texts: Sequence[object]) -> Observation:
    """Return what texts give if a cluster comes together wherever they fit."""
    count = len(case.names)
    starts = case.starts and may_start(texts, case.names)
    together = [(count, 2.0**count - 1)] * count
    return _observation(texts, case.names, together if starts else None)
