"""Further exercise: a log in the replicas that does not make them work in turn."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n08_four_devices_speed_of_one.log_order import (
    BEGIN,
    END,
    run_logged,
)
from course.lessons.n08_four_devices_speed_of_one.patience import Patience
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES


@dataclass(frozen=True, eq=False)
class Case:
    """Values of every step and replica."""

    values: np.ndarray
    patience: Patience = field(default_factory=Patience)

    @property
    def replicas(self) -> int:
        """One for each value of a step."""
        return self.values.shape[1]

    def __str__(self) -> str:
        return f"{self.replicas} replicas, {len(self.values)} steps"


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw two runs, on four and on three replicas; all numbers differ."""
    patience = Patience()
    shapes = ((int(rng.integers(2, 4)), 4), (2, 3))
    return [
        Case(
            (1 + 2 * rng.permutation(40)[: steps * n]).reshape(steps, n).astype("f4"),
            patience,
        )
        for steps, n in shapes
    ]


def observe(function, case: Case) -> Observation:
    """Run the steps with the learner's log."""
    place = case.patience.place(case.replicas)
    devices = virtual_devices(DEVICES)[: case.replicas]
    run = run_logged(function, case.values, devices, place)
    meets = case.patience.meets(place, case.replicas)
    return observation(run.results, run.written, bool(run.late), meets)


def observation(results, written, late: bool, meets: bool) -> Observation:
    """Values: all results, then the written numbers of each place, sorted."""
    begins, ends = (
        sorted(number for where, number in written if where == place)
        for place in (BEGIN, END)
    )
    others = len(written) - len(begins) - len(ends)
    known = [n for n in (*begins, *ends) if np.isfinite(n)]
    symbolic = len(begins) + len(ends) - len(known)
    return Observation(
        np.concatenate([np.ravel(results), known]),
        {
            "written": (len(begins), len(ends), others),
            "symbolic": (symbolic,),
            "late": (int(late),),
            "meets": (int(meets),),
        },
    )


def _written(begins, ends) -> list[tuple[str, float]]:
    pairs = [(BEGIN, float(n)) for n in np.ravel(begins)]
    return pairs + [(END, float(n)) for n in np.ravel(ends)]


def _complete(values: np.ndarray) -> list[tuple[str, float]]:
    return _written(values, 2 * values)


def _of_replica_0(values: np.ndarray) -> list[tuple[str, float]]:
    return _complete(values[:, 0])


def expect(case: Case) -> Observation:
    """Return the truth: every value is written at both places, and all meet."""
    values = case.values.astype(np.float64)
    return observation(2 * values, _complete(values), False, True)


def _compare(case: Case, got: Observation, truth: Observation) -> Difference:
    (begins, ends, others), (symbolic,) = got.counts["written"], got.counts["symbolic"]
    total = case.values.size
    if (begins, ends, others, symbolic) != (total, total, 0, 0):
        more = f", {others} of other places" if others else ""
        without = f"; {symbolic} of them without a value" if symbolic else ""
        return Difference(
            f"Written: {begins} lines of begin, {ends} of end{more}{without}.",
            f"Expected {total} lines of each: one for every replica in every step.",
        )
    if not got.agrees(Observation(truth.values, got.counts), MY_LOG.tolerance):
        return Difference(
            "Results or written numbers are wrong.",
            "Expected: the log returns its value, and writes that value.",
        )
    if got.counts["meets"] != (1,):
        return Difference(
            "Everything is written, but the replicas did not work at the same time.",
            "Expected: all replicas meet in their work.",
        )
    return Difference(
        "Everything is written, and the replicas met, but some began to work before "
        'their "begin" was written.',
        "Expected: a replica's work comes after its own begin, and before its end.",
    )


def _mistake(code: str, cause: str, written, late=False, meets=True):
    def observe_it(case: Case) -> Observation:
        values = case.values.astype(np.float64)
        return observation(2 * values, written(values), late, meets)

    return Mistake(code, cause, observe_it)


def _symbolic(values: np.ndarray) -> list[tuple[str, float]]:
    return _written(*[np.full(values.shape[1], np.nan)] * 2)


MY_LOG = Exercise(
    name="08/my_log",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "stateful",
            "the operation that writes is stateful. TensorFlow keeps stateful "
            "operations in the order of the program, across replicas: replica 1 may "
            "begin only when replica 0 has written its end.",
            _complete,
            meets=False,
        ),
        _mistake(
            "beside_the_work",
            "what writes stands beside the work: nothing in the work waits for it. The "
            "replicas meet, but the log shows a wrong order. Let the value go through "
            "the operation that writes.",
            _complete,
            late=True,
        ),
        _mistake(
            "never_runs",
            "`write` was never called. Does an operation call it? One that is "
            "stateless and whose result nobody uses is left out of the graph: return "
            "its result.",
            lambda values: [],
        ),
        _mistake(
            "never_runs_in_turn",
            "nothing was written by `write`, and the replicas worked in turn: "
            "something stateful, such as tf.print, stands between the values.",
            lambda values: [],
            meets=False,
        ),
        _mistake(
            "while_tracing",
            "`write` is called while TensorFlow makes the graph: once, with tensors "
            "that have no value yet. Call it from an operation, when the graph runs.",
            _symbolic,
        ),
        _mistake("replica_0_only", "only replica 0 writes.", _of_replica_0),
        _mistake(
            "replica_0_only_in_turn",
            "only replica 0 writes, and the replicas do not meet in their work.",
            _of_replica_0,
            meets=False,
        ),
        _mistake(
            "begin_only",
            "only the begins are written.",
            lambda values: _written(values, []),
        ),
        _mistake(
            "end_only",
            "only the ends are written.",
            lambda values: _written([], 2 * values),
        ),
        _mistake(
            "twice",
            "everything is written twice.",
            lambda values: _complete(values) * 2,
        ),
    ),
    right="Every replica's values were written before and after its work, and all "
    "replicas worked at the same time.",
)
