"""This notebook's instrument: where workers' weights get their values, and how."""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import TOLERANCE
from course.lessons.n15_workers_differ_before_step_one import giving
from course.lessons.n15_workers_differ_before_step_one.start_paths import start_paths
from course.lessons.n15_workers_differ_before_step_one.training import (
    HALVED,
    MOMENTUM,
    PLAIN,
    Rule,
)
from course.lessons.n15_workers_differ_before_step_one.worker_starts import (
    Give,
    Start,
    StartRun,
    Sync,
    job_of,
    start_workers,
)
from course.runs.workloads import Rows
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice

GIVEN: dict[str, Callable] = {
    "made in the scope": giving.made_in_scope,
    "made in the scope, on worker 1 b first": giving.other_order,
    "made outside the scope": giving.made_outside,
    "made in the scope by a Keras layer": giving.drawn_by_keras,
    "assigned in the scope": giving.assigned_in_scope,
    "restored from a file": giving.loaded,
    "restored from a file by worker 0 only": giving.loaded_by_chief,
}
STEPS = {
    "plain SGD": PLAIN,
    "with momentum": MOMENTUM,
    "that halve the weights": HALVED,
}


def who_begins_where(sync: Sync, rows: Rows) -> None:
    """Show workers that begin and train, for origins of their weights to turn.

    sync: what every worker calls before step 1, with (strategy, variables).
    rows: what they train on, in batches of 8.
    """
    named = {sync.__name__: sync}

    def run(give: Give, own: bool, rule: Rule, workers: int, sync: Sync) -> StartRun:
        label = _key(GIVEN, give) + ", equal numbers" * (not own)
        label += f", steps {_key(STEPS, rule)}" * (rule is not PLAIN)
        label += f", then {sync.__name__}" * (sync.__name__ not in named)
        start = Start(give, label, own, rule)
        return start_workers([start], sync, job_of(rows, workers))[0]

    instrument(
        [
            Choice("give", "a and b are", GIVEN, giving.made_outside),
            Choice("own", "numbers, seeds", {"own": True, "equal": False}, True),
            Choice("rule", "steps", STEPS, PLAIN),
            Choice("workers", "workers", {"2": 2, "3": 3}, 2),
            Choice("sync", "then", named, sync, mine="15/my_sync"),
        ],
        run,
        start_paths,
        told,
    )


def _key(options: dict[str, object], value: object) -> str:
    return next(name for name, each in options.items() if each is value)


def told(now: StartRun) -> str:
    """Say in one line how far workers are apart, before the first step and at last."""
    apart, off = now.apart().max(axis=1), now.off()
    steps = len(off) - 1
    return (
        f"{now.label}, workers {now.recording.replicas}: apart {_size(apart[0])} "
        f"before step 1, {_size(apart[-1])} after step {steps}; from one device "
        f"{_size(off[0])}, then {_size(off[-1])}"
    )


def _size(gap: float) -> str:
    return f"{gap:.2g}" if gap > TOLERANCE else "0"
