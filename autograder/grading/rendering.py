"""Have feedback pages rendered by a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from autograder.grading import feedback_process
from autograder.grading.child import Child

SECONDS = 240.0  # for one page; a minute of it may be a wait for the gradebook


class Renderer:
    """The process that writes the pages; use it as a context manager."""

    def __init__(self, root: Path, wished: Callable[[], bool] = lambda: False) -> None:
        """Start the process.

        Args:
            root: of the course.
            wished: whether somebody wishes to stop; it is not waited for then.
        """
        self._child = Child(feedback_process.__name__, {}, wished, [str(root)])

    def __enter__(self) -> Renderer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the process."""
        self._child.end()

    def write(self, student: str, name: str) -> None:
        """Write the feedback page of one submission, which must be graded already.

        Raises:
            NoAnswer: it can't be rendered; says why.
            CourseError: the gradebook or the disk can't be used.
            KeyboardInterrupt: somebody wishes to stop.
        """
        self._child.ask("write", SECONDS, {"student": student, "name": name})
