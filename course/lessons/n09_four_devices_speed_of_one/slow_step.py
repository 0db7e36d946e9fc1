"""Further exercise: break a parallel step so that its replicas work in turn."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.checks.failures import WrongReturn, sentences_of
from course.runs.devices import mirrored, virtual_devices
from course.runs.rendezvous import Rendezvous
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import STEP_SECONDS, each_replica, hand_out
from course.runs.spans import stamped

# (x, work) -> what the replica returns; work(x) is 2 * x, and takes a while
SlowStep = Callable[[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]], tf.Tensor]
NONE, ONE, SEVERAL = 0, 1, 2  # replicas at work at the same time, all of them: ALL
ALL = 3


@dataclass(frozen=True, eq=False)
class Case:
    """float32, (steps, replicas): what each replica is given; no two are equal."""

    values: np.ndarray

    @property
    def replicas(self) -> int:
        """One for each value of a step."""
        return self.values.shape[1]

    def __str__(self) -> str:
        return f"{self.replicas} replicas, {len(self.values)} steps"


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw two runs, on four and on three replicas."""
    return [
        Case((1 + 2 * rng.permutation(40)[: 2 * n]).reshape(2, n).astype("f4"))
        for n in (4, 3)
    ]


def observe(function: SlowStep, case: Case) -> Observation:
    """Run the steps in one tf.function; work waits until all replicas are in theirs.

    Raises:
        StepFailed: the function stopped with an error.
        WrongReturn: it returned something else than a tensor of the shape of x.
    """
    devices = virtual_devices(DEVICES)[: case.replicas]
    strategy, place = mirrored(devices), Rendezvous(case.replicas)
    done: Counter[tuple[str, float]] = Counter()
    lock, traces = threading.Lock(), []

    def note(device: str, array: np.ndarray) -> None:
        with lock:
            done[device, float(array)] += 1
        place.wait()

    def step(x: tf.Tensor) -> tf.Tensor:
        return _checked(function(x, lambda value: 2.0 * stamped(value, note)), x)

    @tf.function
    def run(x):
        traces.append(tf.compat.v1.get_default_graph())
        return strategy.run(step, args=(x,))

    with sentences_of(function), deadline(STEP_SECONDS):
        shares = [hand_out(strategy, row) for row in case.values]
        results = [each_replica(strategy, run(share)) for share in shares]
    own = tuple(
        sum(count for (where, _), count in done.items() if where == device)
        for device in devices
    )
    return observation(
        np.array(results, np.float64),
        own,
        _at_once(place.met, case.replicas),
        any(_operations(graph, _keeps_an_order) for graph in traces),
        any(_operations(graph, _checks) for graph in traces),
    )


def _checked(result: object, x: tf.Tensor) -> tf.Tensor:
    if not tf.is_tensor(result) or result.dtype != x.dtype:
        raise WrongReturn.of(result, "the float32 tensor that work(x) returns")
    return tf.ensure_shape(result, x.shape)


def _at_once(met: int, replicas: int) -> int:
    return ALL if met >= replicas else SEVERAL if met > 1 else met


def _operations(graph: tf.Graph, kind: Callable[[tf.Operation], bool]) -> bool:
    return any(kind(op) for op in graph.get_operations() if op.op_def is not None)


def _keeps_an_order(op: tf.Operation) -> bool:
    """Whether the operation is kept in an order; our own work is not."""
    return op.op_def.is_stateful and op.type not in ("Placeholder", "ReadVariableOp")


def _checks(op: tf.Operation) -> bool:
    return op.type == "CheckNumerics"


def observation(
    results: np.ndarray,
    own: tuple[int, ...],
    at_once: int,
    ordered: bool,
    checked: bool,
) -> Observation:
    """Return one; own: calls of work on each replica's device.

    ordered: whether something in the graph keeps an order. It counts only where it does
    not do what is asked. checked: whether check_numerics is in the graph.
    """
    return Observation(
        np.ravel(results),
        {
            "work": own,
            "at once": (at_once,),
            "ordered": (int(ordered and at_once > ONE),),
            "checked": (int(checked),),
        },
    )


def expect(case: Case) -> Observation:
    """Return what is asked: all results, all work, and never two at once."""
    return _gives(ONE)(case)


def _gives(
    at_once: int,
    ordered: bool = False,
    times: Callable[[int], tuple[int, ...]] = lambda n: (1,) * n,
    checked: bool = False,
) -> Callable[[Case], Observation]:
    """Return what a run gives; times: of n replicas, calls of work in a step."""

    def of(case: Case) -> Observation:
        own = tuple(len(case.values) * each for each in times(case.replicas))
        results = 2 * case.values.astype(np.float64)
        return observation(results, own, at_once, ordered, checked)

    return of


def _compare(case: Case, got: Observation, truth: Observation) -> Difference:
    if got.counts["work"] != truth.counts["work"]:
        calls = ", ".join(map(str, got.counts["work"]))
        return Difference(
            f"Calls of work that ran on each replica's device: {calls}.",
            f"Expected: one for each replica in each of {len(case.values)} steps, on "
            "its own device.",
        )
    if not got.agrees(Observation(truth.values, got.counts), MY_SLOW_STEP.tolerance):
        return Difference(
            "Results are wrong.", "Expected: each replica returns what work(x) is."
        )
    if got.counts["checked"] == (1,):
        return Difference(
            "Results and calls are right, but check_numerics is in the graph.",
            "Expected: a step that does without.",
        )
    all_of_them = got.counts["at once"] == (ALL,)
    return Difference(
        "Results and calls are right, but "
        f"{'all replicas' if all_of_them else 'two or more replicas'} were in their "
        "work at the same time.",
        "Expected: no two replicas ever are.",
    )


MY_SLOW_STEP = Exercise(
    name="09/my_slow_step",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=_compare,
    mistakes=(
        Mistake(
            "nothing_broken",
            "nothing keeps an order here: in a graph, a replica's work waits for "
            "another's only where something of the first has to come before it. What "
            "Python does in the step, with a lock for example, it does while the graph "
            "is made, and not when it runs.",
            _gives(ALL),
        ),
        Mistake(
            "order_beside_the_work",
            "what you added is kept in the order of the program, but the work is not "
            "in that order. A replica's work must wait for what stands before it, "
            "AND what comes next must wait for the work: of both, one is not enough.",
            _gives(ALL, ordered=True),
        ),
        Mistake(
            "with_check_numerics",
            "the replicas work in turn by check_numerics, which you have seen do that. "
            "Something else can do to the work what it does.",
            _gives(ONE, checked=True),
        ),
        Mistake(
            "one_device",
            "all work is placed on one device. That is another fault: this device can "
            "be in the work of all replicas at the same time, as a CPU does here.",
            _gives(ALL, times=lambda n: (n, *[0] * (n - 1))),
        ),
        Mistake(
            "replica_0_only",
            "only replica 0 works. All replicas have their share of the work; they "
            "must do it one after the other.",
            _gives(ONE, times=lambda n: (1, *[0] * (n - 1))),
        ),
        Mistake(
            "twice",
            "each replica does its work twice. That takes twice as long, and is no "
            "order.",
            _gives(ALL, times=lambda n: (2,) * n),
        ),
        Mistake(
            "no_work",
            "no work ran at all. A graph leaves out what no result needs.",
            _gives(NONE, times=lambda n: (0,) * n),
        ),
    ),
    right="Results, traces and reads are those of the fast step, and no two replicas "
    "were in their work at the same time.",
)
