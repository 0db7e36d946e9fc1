"""Everything the room knows, in memory, and as JSON for a restart."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from workshop.room.attempts import Attempts
from workshop.room.catalogue import Catalogue, Question
from workshop.room.own_question import from_data, own_question
from workshop.room.reports import Refused, Report, parse_report
from workshop.room.votes import Ballot, Phase, open_ballot

MOST_LEARNERS = 2000
MOST_PHONES = 1000
PHONE = "phone:"  # begins the name of a phone's votes; no account's has a colon
CODE_LETTERS = "CDFGHJKLMNPRTVWXZ"  # no vowels: no words; none that look alike
CODE_LENGTH = 5


@dataclass
class Learner:
    """One person in the room.

    number: stands in the place of the name.
    named: whether the name may be shown.
    met: exercise -> codes of all mistakes made in it so far.
    at: number of the notebook in which something happened last, or None.
    attempts: when, and with which mistakes again.
    hand: since when the hand is raised, in seconds since 1970, or None.
    """

    number: int
    named: bool = False
    report: Report = field(default_factory=Report)
    met: dict[str, set[str]] = field(default_factory=dict)
    at: str | None = None
    attempts: Attempts = field(default_factory=Attempts)
    hand: float | None = None


class Room:
    """The learners, the ballot that is open, and those that were.

    version: grows with every change, so that pages know when to look again.
    steps: grows with what the instructor does.
    pinned: number of the notebook that is shown whatever most are in, or None.
    own: number -> a question that the instructor typed.
    code: lets a phone vote, and do nothing else.
    phones: those that came with it.
    real_name: an account's.
    """

    def __init__(
        self, catalogue: Catalogue, real_name: Callable[[str], str] = str
    ) -> None:
        self.catalogue, self.real_name = catalogue, real_name
        self.version = self.steps = 0
        self.ballot: Ballot | None = None
        self.past: list[Ballot] = []
        self.pinned: str | None = None
        self.own: dict[str, Question] = {}
        self.code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        self.phones: set[str] = set()
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

    def question(self, number: str | None) -> Question | None:
        """Return the question of a notebook, or one that the instructor typed."""
        return self.own.get(number or "") or self.catalogue.question(number or "")

    def title(self, number: str) -> str:
        """Return what stands above a question."""
        notebook = self.catalogue.notebooks.get(number)
        return f"{number} · {notebook.title}" if notebook else "A question to the room"

    def join(self, code: str) -> str:
        """Let a phone in, and return its name.

        Raises:
            Refused: it is another code, or there are too many phones.
        """
        typed = code.strip().upper().encode()
        if not secrets.compare_digest(typed, self.code.encode()):
            raise Refused("this is not the code on the wall")
        if len(self.phones) >= MOST_PHONES:
            raise Refused("too many phones are in already")
        phone = PHONE + secrets.token_hex(8)
        self.phones.add(phone)
        self.version += 1
        return phone

    def raise_hand(self, name: str, up: bool) -> None:
        """Raise the hand of `name`, or take it down."""
        learner = self.learner(name)
        if up != (learner.hand is not None):
            learner.hand = time.time() if up else None
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
        learner.attempts.take(new, old, time.time())
        for exercise, code in new.mistakes.items():
            codes = self.catalogue.exercises[exercise].codes(code)
            learner.met.setdefault(exercise, set()).update(codes)
        self.version += 1

    def vote(self, name: str, answer: str) -> None:
        """Take in a vote from a learner's page, or from a phone.

        Raises:
            Refused: there is no such answer or phone, or nothing to vote on.
        """
        if self.ballot is None:
            raise Refused("there is no vote now")
        question = self.question(self.ballot.number)
        if question is None or question.chosen(answer) is None:
            raise Refused("there is no such answer")
        if not name.startswith(PHONE):
            self.learner(name)
        elif name not in self.phones:
            raise Refused("this phone has not joined")
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
        """Do what the instructor asks.

        Args:
            action: open, show, hide, discuss, reveal, cancel or close a vote; pin or
                unpin a notebook; lower a hand.
            number: of the question or notebook; for a hand, the learner's.

        Raises:
            Refused: that is not possible now.
        """
        reports = {name: one.report for name, one in self.learners.items()}
        if action == "pin":
            if number not in self.catalogue.notebooks:
                raise Refused("there is no such notebook")
            self.pinned = number
        elif action == "unpin":
            self.pinned = None
        elif action == "lower":
            for one in self._everybody.values():
                if str(one.number) == number:
                    one.hand = None
        elif action == "open":
            if self.ballot or self.question(number) is None:
                raise Refused("another question is open, or there is no such question")
            self.ballot = open_ballot(number, reports)
        elif self.ballot is None:
            raise Refused("no question is open")
        elif action == "cancel" and self.ballot.phase is not Phase.REVEALED:
            self.ballot = None  # as if it had never been opened; nobody saw an answer
        elif action == "close":
            self.past.append(self.ballot)
            self.ballot = None
        elif action in ("show", "hide") and self.ballot.phase is not Phase.REVEALED:
            self.ballot.shown = action == "show"
        else:
            self.ballot.step(action, reports)
        self.version += 1
        self.steps += 1

    def ask(self, text: str, options: list[str], right: str | None = None) -> str:
        """Keep a question that the instructor typed; return its number.

        Args:
            text: the question.
            options: the answers to choose one from.
            right: the letter of the right one; None where there is none.

        Raises:
            Refused: it is empty, too long, or has too few or too many answers.
        """
        number = f"own-{len(self.own) + 1}"
        self.own[number] = own_question(number, text, options, right)
        self.version += 1
        return number

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
                    "attempts": asdict(one.attempts),
                    "hand": one.hand,
                }
                for name, one in self._everybody.items()
            },
            "pinned": self.pinned,
            "own": [asdict(question) for question in self.own.values()],
            "code": self.code,
            "phones": sorted(self.phones),
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
                Attempts(**one["attempts"]),
                one["hand"],
            )
            for name, one in data["learners"].items()
        }
        ballot = _ballot(data["ballot"]) if data["ballot"] else None
        past = [_ballot(each) for each in data["past"]]
        own = [from_data(each) for each in data["own"]]
        self._everybody, self._instructors = everybody, set(data["instructors"])
        self.ballot, self.past = ballot, past
        self.pinned, self.code = data["pinned"], str(data["code"])
        self.own = {question.number: question for question in own}
        self.phones = set(data["phones"])
        self.version += 1


def _ballot_data(ballot: Ballot) -> dict:
    return {**asdict(ballot), "phase": ballot.phase.value}


def _ballot(data: dict) -> Ballot:
    return Ballot(**{**data, "phase": Phase(data["phase"])})
