"""The process that knows truths and known mistakes: it judges plain data alone.

No line of a submission ever runs here. `autograder.grading.judge` is the other side.
"""

from __future__ import annotations

import base64
import importlib
import io
import os
import pickle
import shutil
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from autograder.grading.child import serve

MOST_BYTES = 2**26  # unpacked, of what was observed of one answer; honest: below 2**20


class _Bench:
    """What the class's answers are held against, computed once."""

    def __init__(self) -> None:
        from course.runs.devices import virtual_devices
        from course.runs.replica_exercises import DEVICES

        virtual_devices(DEVICES)
        self._references = {}

    def prepare(
        self, exercises: Sequence[str], composed: Mapping | None, seed: int
    ) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Compute the truths of a notebook's exercises; return the trials, packed.

        And module and name of all that they refer to.

        Args:
            exercises: such as "02/my_step"; names that no lesson has are left out.
            composed: what the notebook's jobs are composed from, where they are.
            seed: of the class.
        """
        import numpy as np

        from course.checks.declared import find_exercise
        from course.checks.exercises import Exercise, UnknownName
        from course.checks.handing_over import pack
        from course.checks.judging import Reference
        from course.checks.observing import trial_of

        if composed is not None:
            from course.lessons.n21_mystery_jobs import mystery

            mystery(**composed)
        trials = {}
        for name in exercises:
            try:
                found = find_exercise(name)
            except UnknownName:
                continue
            if not isinstance(found, Exercise):  # it observes in a way of its own
                found.prepare()
                trials[name] = found.trial(seed)
            else:
                reference = Reference(found, seed)
                for number in range(len(reference.cases)):
                    reference.truth(number)
                self._references[name, seed] = reference
                # drawn anew: a case may keep what was computed of it
                trials[name] = trial_of(found, seed).mixed(np.random.default_rng(seed))
        packed = pack(trials)
        return packed, tuple(_referred_to(packed))

    def judge(
        self, exercise: str, seed: int, npz: bytes, solved: Collection[str]
    ) -> dict:
        """Return verdict, its outputs and the line of its error.

        Args:
            exercise: such as "02/my_step".
            seed: the cases were drawn from it.
            npz: what was observed, from a process that may have sent anything.
            solved: the exercises that this submission has RIGHT.
        """
        from course.checks.declared import find_exercise
        from course.checks.exercises import Exercise
        from course.checks.judging import judge
        from course.checks.observed import from_npz
        from course.checks.verdicts import CheckFailed, Outcome

        seen = from_npz(npz, MOST_BYTES)
        verdict = judge(exercise, seed, seen, self._references)
        found = find_exercise(exercise)
        locate = found.locate if isinstance(found, Exercise) else None
        verdict = verdict.opened(named=True, placed=locate is None or locate in solved)
        # who knows the class's seed can look up, at home, what comes out
        verdict = replace(verdict, drawn=False)
        right = verdict.outcome is Outcome.RIGHT
        return {
            "data": verdict.data(),
            "bundle": verdict._repr_mimebundle_(),
            "failed": "" if right else CheckFailed(verdict)._render_traceback_()[0],
        }


def _referred_to(packed: str) -> set[tuple[str, str]]:
    """Module and name of all that packed trials refer to."""
    found = set()

    class Noting(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> object:
            found.add((module, name.split(".")[0]))
            if name == "subimport":  # cloudpickle's, of a whole module

                def whole(imported: str) -> object:
                    found.add((imported, "*"))
                    return importlib.import_module(imported)

                return whole
            return super().find_class(module, name)

    Noting(io.BytesIO(base64.b64decode(packed))).load()
    return found


if __name__ == "__main__":
    folder = os.environ["COURSE_DATA_DIR"] = sys.argv[1]
    try:
        serve(_Bench())
    finally:  # the grader removes it, too, unless it was killed
        shutil.rmtree(folder, ignore_errors=True)
