"""The three questions about a job, as they are observed: what is right is not here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from course.checks.deadline import deadline
from course.checks.exercises import OwnTrial
from course.checks.failures import StepFailed, explain
from course.checks.patience import OutOfTime, TooBusy, nothing_cut_short
from course.lessons.n21_mystery_jobs.answers import is_open, names_in, place_in
from course.lessons.n21_mystery_jobs.as_shipped import helpers_as_shipped
from course.lessons.n21_mystery_jobs.dossiers import Dossier, Situation

CPU_SECONDS = 40.0  # of processor time of one case; one needs 1 to 5


class NameTrial(OwnTrial):
    """What is it called?"""

    def observe(self, answer, *, named, shipped) -> dict:
        """Read the name as it was written."""
        if is_open(answer):
            return {}
        try:
            return {"names": sorted(names_in(answer))}
        except ValueError as error:
            return {"unclear": str(error)}


class PlaceTrial(OwnTrial):
    """Where does it show first?"""

    def observe(self, answer, *, named, shipped) -> dict:
        """Read the place as it was written."""
        if is_open(answer):
            return {}
        try:
            return {"place": place_in(answer), "named": told_names(named)}
        except ValueError as error:
            return {"unclear": str(error)}


class RepairTrial(OwnTrial):
    """What does the repaired job do, in situations that were not seen before?"""

    def __init__(
        self, name: str, dossier: Dossier, situations: Sequence[Situation]
    ) -> None:
        super().__init__(name)
        self.dossier, self.situations = dossier, situations

    def observe(self, answer, *, named, shipped) -> dict:
        """Run the job in each situation and record it."""
        seen = self.read(answer, named=named, shipped=shipped)
        if not is_readable(seen) or (seen["shipped"] and seen["named"] != []):
            return seen
        return seen | self._run(answer)

    def read(self, answer: object, *, named: object, shipped: bool) -> dict[str, Any]:
        """Return what can be said of an answer before it is run."""
        if not callable(answer):
            return {"kind": type(answer).__name__}
        same = shipped and helpers_as_shipped(
            answer, self.dossier.code, self.dossier.helpers
        )
        try:
            return {"named": told_names(named), "shipped": same, "records": []}
        except ValueError as error:
            return {"unclear": str(error)}

    def _run(self, answer: Callable) -> dict[str, Any]:
        records: list[dict[str, Any]] = []
        for situation in self.situations:
            try:
                with nothing_cut_short(), deadline(CPU_SECONDS):
                    records.append(situation.run(answer).data())
            except TooBusy as busy:
                return {"records": records, "stopped": busy.sentences, "busy": True}
            except (StepFailed, OutOfTime) as error:
                told = explain(error, answer)
                return {"records": records, "stopped": told, "busy": False}
        return {"records": records}


def is_readable(seen: dict[str, Any]) -> bool:
    """Whether a repair is a function and its job's name can be read."""
    return "kind" not in seen and "unclear" not in seen


def told_names(named: object) -> list[str] | None:
    """Return the notebooks that a learner names; None while the name is open.

    Raises:
        ValueError: the name cannot be read; an open name would cost all looks.
    """
    try:
        return None if is_open(named) else sorted(names_in(named))
    except ValueError as error:
        raise ValueError(f"The name of this job cannot be read. {error}") from None
