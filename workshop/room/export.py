"""The room as files for the instructor: names only of those who agreed."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

from workshop.room.state import PHONE, Room
from workshop.room.views import label


def as_json(room: Room) -> str:
    """Return learners with outcomes, mistakes and predictions, and all votes."""
    ballots = [*room.past, *([room.ballot] if room.ballot else [])]
    return json.dumps(
        {
            "learners": [
                {
                    "learner": label(room, name, one),
                    "outcomes": one.report.outcomes,
                    "mistakes_met": {e: sorted(codes) for e, codes in one.met.items()},
                    "predictions": one.report.predictions,
                }
                for name, one in room.learners.items()
            ],
            "votes": [
                {
                    "notebook": ballot.number,
                    "question": room.question(ballot.number).text,
                    "phase": ballot.phase.value,
                    "first": _labelled(room, ballot.first),
                    "second": _labelled(room, ballot.second),
                    "phones": {
                        "first": _by_phone(ballot.first),
                        "second": _by_phone(ballot.second),
                    },
                }
                for ballot in ballots
            ],
        },
        indent=1,
    )


def _labelled(room: Room, votes: dict[str, str]) -> dict[str, str]:
    return {
        label(room, name, room.learners[name]): answer
        for name, answer in votes.items()
        if name in room.learners
    }


def _by_phone(votes: dict[str, str]) -> dict[str, int]:
    """Return answer -> how many phones gave it."""
    return dict(Counter(a for name, a in votes.items() if name.startswith(PHONE)))


def as_csv(room: Room) -> str:
    """Return a line for each learner and exercise that was checked."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["learner", "exercise", "outcome", "mistakes_met"])
    for name, one in room.learners.items():
        for exercise, outcome in sorted(one.report.outcomes.items()):
            met = " ".join(sorted(one.met.get(exercise, ())))
            table.writerow([_cell(label(room, name, one)), exercise, outcome, met])
    return text.getvalue()


def _cell(text: str) -> str:
    """Return `text` so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text
