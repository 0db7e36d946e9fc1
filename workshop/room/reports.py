"""What a learner's server reports: checked, and cut to what the course knows."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from course.checks.verdicts import Outcome
from workshop.room.catalogue import Catalogue

BODY_BYTES = 256 * 1024
MOST_ENTRIES = 2000  # of one table; a course has about a hundred exercises
LARGEST_COUNT = 1_000_000
_OUTCOMES = set(Outcome)


class Refused(ValueError):
    """A report or a request of a form that no honest client sends."""


@dataclass(frozen=True)
class Report:
    """How far one learner is.

    outcomes, mistakes: exercise -> outcome, and -> code of the last mistake.
    opened, saves: notebook number -> how often opened, and how often predicted.
    predictions: notebook number -> answer.
    tries: exercise -> how many attempts were checked until it was right.
    """

    outcomes: dict[str, str] = field(default_factory=dict)
    mistakes: dict[str, str] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    saves: dict[str, int] = field(default_factory=dict)
    predictions: dict[str, str] = field(default_factory=dict)
    tries: dict[str, int] = field(default_factory=dict)

    def tried(self, exercise: str) -> bool:
        """Whether an attempt at `exercise` was checked."""
        return self.outcomes.get(exercise, _NOT_YET) != _NOT_YET

    def solved(self, exercise: str) -> bool:
        """Whether `exercise` is right."""
        return self.outcomes.get(exercise) == Outcome.RIGHT

    def started(self, number: str) -> bool:
        """Whether notebook `number` was opened, or something in it was done."""
        if number in self.opened or number in self.predictions:
            return True
        return any(name.startswith(f"{number}/") for name in self.outcomes)

    def newest(self, before: Report) -> str | None:
        """Return the number of a notebook in which something changed, or None."""
        changed = [
            key.split("/")[0]
            for name, table in asdict(self).items()
            for key in table
            if table[key] != getattr(before, name).get(key)
        ]
        return max(changed, default=None)


_NOT_YET = Outcome.NOT_ATTEMPTED


def parse_body(body: bytes) -> dict:
    """Return the JSON object in `body`.

    Raises:
        Refused: there is none.
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused("not JSON") from error
    if not isinstance(data, dict):
        raise Refused("not an object")
    return data


def parse_report(data: dict, catalogue: Catalogue) -> Report:
    """Return what of `data` the course knows; the rest is left out.

    Raises:
        Refused: a table of another type, or one that is far too long.
    """
    exercises, notebooks = catalogue.exercises, catalogue.notebooks
    outcomes = _table(data, "outcomes", str)
    mistakes = _table(data, "mistakes", str)
    predictions = _table(data, "predictions", str)
    return Report(
        {e: o for e, o in outcomes.items() if e in exercises and o in _OUTCOMES},
        {
            exercise: code
            for exercise, code in mistakes.items()
            if exercise in exercises and exercises[exercise].codes(code)
        },
        {n: c for n, c in _table(data, "opened", int).items() if n in notebooks},
        {n: c for n, c in _table(data, "saves", int).items() if n in notebooks},
        {
            number: answer
            for number, answer in predictions.items()
            if (question := catalogue.question(number))
            and question.chosen(answer) is not None
        },
        {e: n for e, n in _table(data, "tries", int).items() if e in exercises},
    )


def _table(data: dict, name: str, kind: type) -> dict:
    table = data.get(name, {})
    if not isinstance(table, dict) or len(table) > MOST_ENTRIES:
        raise Refused(f"{name} is no table")
    for value in table.values():
        if type(value) is not kind or (kind is int and not 0 < value <= LARGEST_COUNT):
            raise Refused(f"{name} holds something else")
    return table
