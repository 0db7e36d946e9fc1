"""This notebook's instrument: a program and a folder of files, joined by a restore."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from course.lessons.n19_restored_but_wrong.checkpoint_files import Arrays
from course.lessons.n19_restored_but_wrong.name_joins import name_joins
from course.lessons.n19_restored_but_wrong.programs import EXCHANGED, Program
from course.lessons.n19_restored_but_wrong.restore_files import HEALTHY, Case
from course.lessons.n19_restored_but_wrong.restoring import (
    Restoration,
    Restore,
    restored_by,
)
from course.pictures.picture import Picture
from course.runs.workloads import Rows
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Switch

FILES = {
    "as they were saved": HEALTHY,
    "without the file `checkpoint`": "no state",
    "one bit of w is turned": "bit",
    "the index is cut": "cut index",
}
NAMES = {"w": "w", "weights": "weights", "mean, and the mean w": EXCHANGED}


def asking(ask: str) -> Restore:
    """Return a restore that calls a method of what `Checkpoint.restore` returns."""

    def restore(folder: str, variables: dict[str, tf.Variable]) -> None:
        path = tf.train.latest_checkpoint(folder)
        status = tf.train.Checkpoint(**variables).restore(path)
        try:
            getattr(status, ask)()
        finally:
            status.expect_partial()  # it would log a warning when it is deleted

    restore.__name__ = ask
    return restore


ASKED = {
    ask: asking(ask)
    for ask in ("expect_partial", "assert_existing_objects_matched", "assert_consumed")
}


def what_is_joined(saved: Arrays, rows: Rows) -> None:
    """Show what of a file comes into a program, for programs, files and calls to turn.

    saved: what the old program had: w and mean of shape (2,), step.
    rows: for the loss of the weights.
    """

    def run(
        name: str, numbers: int, dtype: str, mean: bool, files: str, restore: Callable
    ) -> Restoration:
        program = Program(name, numbers, dtype, mean)
        case = Case("", saved, {}, files, "w")
        with case.folder() as folder:
            return restored_by(restore, folder, program.variables(), rows)

    first = ASKED["expect_partial"]
    instrument(
        [
            Choice("name", "the weights are called", NAMES, "w"),
            Choice("numbers", "numbers in them", {"2": 2, "3": 3}, 2),
            Choice("dtype", "dtype", {d: d for d in ("float32", "float64")}, "float32"),
            Switch("mean", "there is a mean", True),
            Choice("files", "files", FILES, HEALTHY),
            Choice("restore", "restore, then", ASKED, first, mine="19/my_restore"),
        ],
        run,
        picture,
        told,
    )


def picture(now: Restoration, before: Restoration | None) -> Picture:
    """Draw a restore; of the one before, the loss stays."""
    return name_joins(now, before=before)


def told(now: Restoration) -> str:
    """Say in one line what came of a restore."""
    error = now.error.split(":")[0] or "no error"
    came = [name for name in now.after if now.restored(name)]
    loss = "no loss" if now.losses is None else f"loss {now.losses['after']:.3g}"
    return (
        f"{now.label}: {error}; from the file: {', '.join(came) or 'nothing'}; {loss}"
    )
