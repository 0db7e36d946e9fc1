"""The process that renders feedback pages, beside the grading of further submissions.

`autograder.grading.pages` is the other side.
"""

from __future__ import annotations

import sys
from pathlib import Path

from autograder import no_grammar  # noqa: F401 - before all that takes nbformat in
from autograder.grading.child import serve
from autograder.grading.feedback import Feedback
from autograder.grading.outages import everybodys, is_locked, wait_for_gradebook
from autograder.nbgrader_settings import settings
from autograder.places import course_places


class _Bench:
    """Renders the pages of one course.

    Args:
        root: of the course.
    """

    def __init__(self, root: Path) -> None:
        self._places = course_places(root)
        self._feedback = Feedback(settings(self._places.root))

    def write(self, student: str, name: str) -> None:
        """Write the page of one graded submission.

        Raises:
            CourseError: the gradebook or the disk can't be used.
        """
        page = self._places.feedback(student, name)
        arguments = self._places.autograded(student, name), student, name, page
        try:
            self._feedback.write(*arguments)
        except Exception as error:
            gradebook = self._places.gradebook
            if is_locked(error):
                wait_for_gradebook(gradebook)
                self._feedback.write(*arguments)
            elif (stop := everybodys(error, gradebook)) is not None:
                raise stop from error
            else:
                raise


if __name__ == "__main__":
    serve(_Bench(Path(sys.argv[1])))
