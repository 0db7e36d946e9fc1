"""Judge every right answer with the TensorFlow of this Python; a line of JSON for each.

    python -m autograder.versions.right_answers ROOT [NOTEBOOK ...]

It runs in an environment of `autograder.versions`, on the sources in ROOT.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from autograder.answers.reading import all_answers
from autograder.answers.runs import run_answers
from autograder.places import course_places
from course.checks.verdicts import Outcome


def main(root: str, *notebooks: str) -> None:
    """Print {"answer": its name, "wrong": what was said of it, "" where RIGHT}."""
    places = course_places(Path(root))
    for name in places.names():
        if notebooks and name[:2] not in notebooks:
            continue
        for answer, judged in run_answers(
            [each for each in all_answers(places, name) if each.is_right], places
        ):
            wrong = [
                f"{exercise} {verdict.outcome}: {verdict.message}"
                for exercise, verdict in judged.items()
                if verdict.outcome != Outcome.RIGHT
            ]
            print(json.dumps({"answer": str(answer), "wrong": "\n".join(wrong)}))
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
