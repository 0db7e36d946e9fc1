"""Functions that call collectives by themselves, in workers: values, or a wait."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.runs.cluster import note, run_workers
from course.runs.lockstep import Apart, in_steps, lockstep
from course.runs.own_failures import in_collective, raise_own
from course.runs.worker_steps import worker_strategy

SECONDS = 8.0  # of processor time of a worker; one that is right needs about 1


@dataclass(frozen=True, eq=False)
class JointRun:
    """What the workers did.

    values: for each call of the function what each worker returned, if all did.
    entered: where they did not, how many collectives each worker has entered.
    """

    values: list[list[object]]
    entered: tuple[int, ...] = ()


def run_jointly(
    function: Callable, own: Sequence[Sequence[object]], collective: str
) -> JointRun:
    """Call `function(own[call][worker], collective)` in real workers, call by call.

    Args:
        function: of a worker's own values and of the collective. `hash` of a text
            is another number in each worker.
        own: for each call, the values of each worker.
        collective: "sum": of an array, over all workers; "gather": of a list of whole
            numbers, the lists of all workers, which must be equally long.

    Raises:
        StepFailed: the function itself stopped with an error; says on which worker,
            and why.
    """
    work = functools.partial(_work, function, own, collective)
    cluster = run_workers(work, workers=len(own[0]), seconds=SECONDS)
    raise_own(cluster)
    if any(end.outcome != "returned" for end in cluster.ends):
        return JointRun([], tuple(int(e.facts.get("entered", 0)) for e in cluster.ends))
    return JointRun(_by_call([end.value for end in cluster.ends]))


def simulate_jointly(
    function: Callable, own: Sequence[Sequence[object]], collective: str
) -> JointRun:
    """Do the same with simulated workers, in this process and in no time.

    `function` must do the same each time that it is called with the same values.
    """
    workers = len(own[0])

    def work(worker: int) -> Generator:
        returned = []
        for values in own:

            def call(summed: Callable, mine: object = values[worker]) -> object:
                return function(mine, _given(collective, summed, worker, workers))

            returned.append((yield from in_steps(call)))
        return returned

    try:
        return JointRun(_by_call(lockstep([work(w) for w in range(workers)], _sum)))
    except Apart as apart:
        return JointRun([], apart.entered)


def _by_call(by_worker: Sequence[Sequence[object]]) -> list[list[object]]:
    return [list(each) for each in zip(*by_worker, strict=True)]


def _sum(handed: list) -> np.ndarray:
    if len({None if each is None else np.shape(each) for each in handed}) > 1:
        raise Apart
    return np.sum(handed, axis=0)


def _given(collective: str, summed: Callable, worker: int, workers: int) -> Callable:
    """Return the collective of this name, which needs no more than a sum of arrays."""

    def gather(numbers: Sequence[int]) -> list[list[int]]:
        mine = np.zeros((workers, len(numbers)), np.int32)
        mine[worker] = numbers
        return np.asarray(summed(mine)).tolist()

    return {"sum": summed, "gather": gather}[collective]


def _work(function: Callable, own: Sequence, collective: str) -> list[object]:
    """The inside of a worker: what the function returned, call by call."""
    strategy = worker_strategy()
    worker = strategy.cluster_resolver.task_id
    entered = 0

    def summed(value: object) -> tf.Tensor:
        nonlocal entered
        value = tf.convert_to_tensor(value)
        entered += 1
        note(entered=entered)

        def replica_sum() -> tf.Tensor:
            context = tf.distribute.get_replica_context()
            return context.all_reduce("SUM", tf.identity(value))

        with in_collective():
            return strategy.run(replica_sum)

    _hash_as_if_started_alone(function, worker)
    given = _given(collective, summed, worker, strategy.num_replicas_in_sync)
    returned = []
    for values in own:
        with sentences_of(function):
            returned.append(function(values[worker], given))
    return returned


def _hash_as_if_started_alone(function: Callable, worker: int) -> None:
    """Let a function hash texts as programs do that were started one by one.

    These processes are forked, and would share what Python draws once a program.
    """

    def own_hash(value: object) -> int:
        parts = value if isinstance(value, tuple) else (value,)
        if any(type(part) in (str, bytes) for part in parts):
            return hash((worker, value))
        return hash(value)

    getattr(inspect.unwrap(function), "__globals__", {})["hash"] = own_hash
