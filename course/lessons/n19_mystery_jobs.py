"""Notebook 19: jobs without a label, to be named, located and repaired."""

from __future__ import annotations

from collections.abc import Iterator

from course.exercises import OwnCheck
from course.mystery.checks import checks_of
from course.mystery.jobs import composed


class _Composed:
    """The checks of the jobs that the notebook has composed; none before that."""

    def __iter__(self) -> Iterator[OwnCheck]:
        for jobs in composed():
            yield from checks_of(jobs)


EXERCISES = _Composed()
