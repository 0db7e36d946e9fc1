"""The process that renders feedback pages, beside the grading of further submissions.

`autograder.grading.pages` is the other side.
"""

from __future__ import annotations

import sys
from pathlib import Path

from autograder import no_grammar  # noqa: F401 - before all that takes nbformat in
from autograder.grading.child import serve
from autograder.grading.feedback import Feedback
from autograder.grading.outages import for_people, when_unlocked
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
        autograded = self._places.autograded(student, name)
        gradebook = self._places.gradebook
        with for_people(gradebook):
            when_unlocked(
                lambda: self._feedback.write(autograded, student, name, page),
                gradebook,
            )


if __name__ == "__main__":
    serve(_Bench(Path(sys.argv[1])))
