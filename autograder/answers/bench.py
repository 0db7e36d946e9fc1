"""The trials, truths and known mistakes of one notebook, computed once for many."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from autograder.drawn_jobs import drawn_in
from autograder.places import Places
from autograder.source import JOBS
from course.learner.seed import course_seed


class Bench:
    """Gives trials to who runs answers, and judges what was observed of them.

    TensorFlow is imported, and used, where this is made: in a process from which no
    other is forked.
    """

    def __init__(self, places: Places, notebook: str, seed: int | None = None) -> None:
        """Take up one notebook.

        Args:
            places: of the course.
            notebook: such as 02_replicas_drift_apart.
            seed: the cases are drawn from it; by default from the one that is set.
        """
        from course.runs.devices import virtual_devices
        from course.runs.replica_exercises import DEVICES

        virtual_devices(DEVICES)
        self.notebook = notebook
        self.seed = course_seed() if seed is None else seed
        self._trials, self._references = {}, {}
        text = places.source(notebook).read_text(encoding="utf-8")
        if JOBS in text:
            from course.lessons.n21_mystery_jobs import mystery

            mystery(**drawn_in(text))

    def trial(self, exercise: str):
        """Return the Trial or OwnTrial of an exercise, on the seed's cases."""
        from course.checks.declared import find_exercise
        from course.checks.exercises import Exercise
        from course.checks.observing import trial_of

        if exercise not in self._trials:
            found = find_exercise(exercise)
            usual = isinstance(found, Exercise)
            made = trial_of(found, self.seed) if usual else found.trial(self.seed)
            self._trials[exercise] = made
        return self._trials[exercise]

    def pack(self, exercises: Iterable[str]) -> str:
        """Return the trials of exercises as text, for `handing_over.install`.

        Of one that no lesson has there is none: its check says so.
        """
        from course.checks.exercises import UnknownName
        from course.checks.handing_over import pack

        trials = {}
        for name in sorted(exercises):
            with contextlib.suppress(UnknownName):
                trials[name] = self.trial(name)
        return pack(trials)

    def judge(self, exercise: str, data: bytes):
        """Return the Verdict on the bytes of an Observed.

        Raises:
            ValueError: these are none, or cases are missing.
        """
        from course.checks.judging import judge
        from course.checks.observed import from_npz

        return judge(exercise, self.seed, from_npz(data), self._references)
