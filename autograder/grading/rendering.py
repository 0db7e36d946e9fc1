"""Have feedback pages rendered by a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from autograder.grading import feedback_process
from autograder.grading.child import Child

SECONDS = 240.0  # for one page; a minute of it may be a wait for the gradebook


class Renderer(Child):
    """The process that writes the pages."""

    def __init__(self, root: Path, wished: Callable[[], bool] = lambda: False) -> None:
        """Start the process.

        Args:
            root: of the course.
            wished: whether somebody wishes to stop; it is not waited for then.
        """
        super().__init__(feedback_process.__name__, {}, wished, [str(root)])

    def write(self, student: str, name: str) -> None:
        """Write the feedback page of one submission, which must be graded already.

        Raises:
            NoAnswer: it can't be rendered; says why.
            CourseError: the gradebook or the disk can't be used.
            KeyboardInterrupt: somebody wishes to stop.
        """
        self.ask("write", SECONDS, {"student": student, "name": name})
