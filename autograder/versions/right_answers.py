"""Judge every right answer with the TensorFlow of this Python; a line of JSON for each.

    python -m autograder.versions.right_answers ROOT [NOTEBOOK ...]

It runs in an environment of `autograder.versions`, on the sources in ROOT.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.answers.reading import Answer, all_answers
from autograder.answers.runs import Judged, run_answers
from autograder.places import Places, course_places
from course.checks.verdicts import Outcome


def main(root: str, *notebooks: str) -> None:
    """Print {"answer": its name, "wrong": what was said of it, "" where RIGHT}."""
    places = course_places(Path(root))
    for name in places.names():
        right = [each for each in all_answers(places, name) if each.is_right]
        if not notebooks or name[:2] in notebooks:
            for answer, wrong in _judged(right, places):
                print(json.dumps({"answer": str(answer), "wrong": wrong}), flush=True)


def _judged(answers: list[Answer], places: Places) -> Iterator[tuple[Answer, str]]:
    """Yield each answer and what is said of it; one that ends its process, alone."""
    while answers:
        try:
            for answer, judged in run_answers(answers, places):
                answers = answers[1:]
                yield answer, "\n".join(_not_right(judged))
        except (RuntimeError, TimeoutError) as error:
            yield answers[0], str(error)
            answers = answers[1:]


def _not_right(judged: Mapping[str, Judged]) -> Iterator[str]:
    for exercise, verdict in judged.items():
        if verdict.outcome != Outcome.RIGHT:
            yield f"{exercise} {verdict.outcome}: {verdict.message}"


if __name__ == "__main__":
    main(*sys.argv[1:])
