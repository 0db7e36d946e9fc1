"""Everything the room knows, in memory, and as JSON for a restart."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field

from workshop.room.catalogue import Catalogue
from workshop.room.reports import Refused, Report, parse_report
from workshop.room.votes import Ballot, Phase, open_ballot

MOST_LEARNERS = 2000


@dataclass
class Learner:
    """One person in the room.

    number: stands in the place of the name.
    named: whether the name may be shown.
    met: exercise -> codes of all mistakes made in it so far.
    at: number of the notebook in which something happened last, or None.
    """

    number: int
    named: bool = False
    report: Report = field(default_factory=Report)
    met: dict[str, set[str]] = field(default_factory=dict)
    at: str | None = None


class Room:
    """The learners, the ballot that is open, and those that were.

    version: grows with every change, so that pages know when to look again.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.version = 0
        self.ballot: Ballot | None = None
        self.past: list[Ballot] = []
        self._everybody: dict[str, Learner] = {}
        self._instructors: set[str] = set()

    @property
    def learners(self) -> dict[str, Learner]:
        """Name -> learner; who teaches is not counted."""
        return {
            name: learner
            for name, learner in self._everybody.items()
            if name not in self._instructors
        }

    def learner(self, name: str) -> Learner:
        """Return the learner called `name`, who enters the room if not yet there.

        Raises:
            Refused: the room is full.
        """
        if name not in self._everybody:
            if len(self._everybody) >= MOST_LEARNERS:
                raise Refused("the room is full")
            self._everybody[name] = Learner(self._free_number())
            self.version += 1
        return self._everybody[name]

    def is_instructor(self, name: str) -> None:
        """Note that `name` teaches here."""
        if name not in self._instructors:
            self._instructors.add(name)
            self.version += 1

    def report(self, name: str, new: Report) -> None:
        """Take in what the server of `name` reports."""
        learner = self.learner(name)
        old = learner.report
        learner.at = new.newest(old) or learner.at
        if self.ballot:
            self.ballot.take_report(name, new, old)
        if new == old:
            return
        learner.report = new
        for exercise, code in new.mistakes.items():
            codes = self.catalogue.exercises[exercise].codes(code)
            learner.met.setdefault(exercise, set()).update(codes)
        self.version += 1

    def vote(self, name: str, answer: str) -> None:
        """Take in a vote from the learner's page.

        Raises:
            Refused: there is no such answer, or nothing to vote on.
        """
        if self.ballot is None:
            raise Refused("there is no vote now")
        question = self.catalogue.question(self.ballot.number)
        if question is None or question.chosen(answer) is None:
            raise Refused("there is no such answer")
        self.learner(name)
        self.ballot.vote(name, answer)
        self.version += 1

    def show_name(self, name: str, named: bool) -> None:
        """Let the name be shown, or hide it again behind a new number."""
        learner = self.learner(name)
        if learner.named and not named:
            learner.number = self._free_number()  # the old one would tell who it is
        learner.named = named
        self.version += 1

    def instruct(self, action: str, number: str | None = None) -> None:
        """Do what the instructor asks: open, show, hide, discuss, reveal, close.

        Raises:
            Refused: that is not possible now.
        """
        reports = {name: one.report for name, one in self.learners.items()}
        if action == "open":
            if self.ballot or self.catalogue.question(number or "") is None:
                raise Refused("another question is open, or there is no such question")
            self.ballot = open_ballot(number, reports)
        elif self.ballot is None:
            raise Refused("no question is open")
        elif action == "close":
            self.past.append(self.ballot)
            self.ballot = None
        elif action in ("show", "hide") and self.ballot.phase is not Phase.REVEALED:
            self.ballot.shown = action == "show"
        else:
            self.ballot.step(action, reports)
        self.version += 1

    def _free_number(self) -> int:
        taken = {learner.number for learner in self._everybody.values()}
        free = [n for n in range(1, max(100, 2 * len(taken) + 2)) if n not in taken]
        return secrets.choice(free)  # in the order of arrival it would tell who it is

    def to_data(self) -> dict:
        """Return everything as JSON holds it."""
        return {
            "learners": {
                name: {
                    "number": one.number,
                    "named": one.named,
                    "report": asdict(one.report),
                    "met": {e: sorted(codes) for e, codes in one.met.items()},
                    "at": one.at,
                }
                for name, one in self._everybody.items()
            },
            "instructors": sorted(self._instructors),
            "ballot": _ballot_data(self.ballot) if self.ballot else None,
            "past": [_ballot_data(ballot) for ballot in self.past],
        }

    def restore(self, data: dict) -> None:
        """Take in what `to_data` gave. Raises one of KeyError, TypeError, ValueError
        or AttributeError where it is something else.
        """
        everybody = {
            name: Learner(
                int(one["number"]),
                one["named"] is True,
                parse_report(one["report"], self.catalogue),
                {e: set(codes) for e, codes in one["met"].items()},
                one["at"],
            )
            for name, one in data["learners"].items()
        }
        ballot = _ballot(data["ballot"]) if data["ballot"] else None
        past = [_ballot(each) for each in data["past"]]
        self._everybody, self._instructors = everybody, set(data["instructors"])
        self.ballot, self.past = ballot, past
        self.version += 1


def _ballot_data(ballot: Ballot) -> dict:
    return {**asdict(ballot), "phase": ballot.phase.value}


def _ballot(data: dict) -> Ballot:
    return Ballot(**{**data, "phase": Phase(data["phase"])})
