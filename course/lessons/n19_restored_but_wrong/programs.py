"""What is predicted of six programs that restore one file, and what they do."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass

import tensorflow as tf

from course.lessons.n19_restored_but_wrong.restoring import Restore, restored_by

QUESTIONS = ("Does it raise an error?", "Is step 40 afterwards?")
EXCHANGED = "mean"


@dataclass(frozen=True)
class Program:
    """The variables of a program, in what they differ from the file's.

    name: of the weights; EXCHANGED: the mean is called w in turn.
    numbers: how many weights there are.
    dtype: theirs.
    mean: whether there is a mean of the weights, too.
    """

    name: str = "w"
    numbers: int = 2
    dtype: str = "float32"
    mean: bool = True

    def variables(self) -> dict[str, tf.Variable]:
        """Return name -> variable, zeros; the weights first."""
        found = {self.name: tf.Variable(tf.zeros([self.numbers], self.dtype))}
        if self.mean:
            other = "w" if self.name == EXCHANGED else "mean"
            found[other] = tf.Variable([0.0, 0.0])
        return {**found, "step": tf.Variable(0)}


PROGRAMS = {
    "weights instead of w": Program("weights"),
    "w and mean exchanged": Program(EXCHANGED),
    "no mean": Program(mean=False),
    "w of three numbers": Program(numbers=3),
    "w of float64": Program(dtype="float64"),
    "an empty folder": Program(),
}


def observe_programs(restore: Restore, folder: str) -> dict[str, tuple[bool, bool]]:
    """Let each program restore.

    Args:
        restore: of (folder, variables).
        folder: with a checkpoint of w, mean and step.

    Returns:
        program -> whether an error came, and whether its step is 40 afterwards.
    """
    found = {}
    with tempfile.TemporaryDirectory(prefix="course-empty-") as empty:
        for name, program in PROGRAMS.items():
            where = empty if name == "an empty folder" else folder
            run = restored_by(restore, where, program.variables())
            found[name] = bool(run.error), int(run.after["step"]) == 40
    return found
