"""Notebook 21: jobs without a label, to be named, located and repaired."""

from __future__ import annotations

from collections.abc import Iterator

from course.checks.exercises import OwnCheck
from course.lessons.n21_mystery_jobs.checks import checks_of
from course.lessons.n21_mystery_jobs.closing_card import card
from course.lessons.n21_mystery_jobs.desk import desk
from course.lessons.n21_mystery_jobs.job_record import keeps
from course.lessons.n21_mystery_jobs.jobs import composed, mystery
from course.lessons.n21_mystery_jobs.sums import sums

__all__ = [
    "EXERCISES",
    "card",
    "desk",
    "keeps",
    "mystery",
    "sums",
]


class _Composed:
    """The checks of the jobs that the notebook has composed; none before that."""

    def __iter__(self) -> Iterator[OwnCheck]:
        for jobs in composed():
            yield from checks_of(jobs)


EXERCISES = _Composed()
