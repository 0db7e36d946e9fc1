"""One question to the room: vote, discuss, vote again, reveal.

Peer instruction, as Eric Mazur teaches it: nobody is swayed by the votes of others,
since they are not shown before the second vote.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum

from workshop.room.catalogue import Question
from workshop.room.reports import Refused, Report


class Phase(Enum):
    """Where a ballot stands."""

    FIRST = "first"
    SECOND = "second"
    REVEALED = "revealed"


# what the instructor may do in which phase, and where it leads
_STEPS = {
    ("discuss", Phase.FIRST): Phase.SECOND,
    ("reveal", Phase.FIRST): Phase.REVEALED,
    ("reveal", Phase.SECOND): Phase.REVEALED,
}


@dataclass
class Ballot:
    """The votes on one question.

    number: the notebook whose question it is.
    shown: whether the instructor asked to see the votes before the end.
    first, second: learner -> answer.
    saves: learner -> how often the prediction had been saved in the notebook when
        the second vote began; what was saved before is no second vote.
    """

    number: str
    phase: Phase = Phase.FIRST
    shown: bool = False
    first: dict[str, str] = field(default_factory=dict)
    second: dict[str, str] = field(default_factory=dict)
    saves: dict[str, int] = field(default_factory=dict)

    def vote(self, learner: str, answer: str) -> None:
        """Take in a vote; the last one of a phase counts.

        Raises:
            Refused: nobody can vote now.
        """
        if self.phase is Phase.REVEALED:
            raise Refused("the vote is over")
        (self.first if self.phase is Phase.FIRST else self.second)[learner] = answer

    def take_report(self, learner: str, new: Report, old: Report) -> None:
        """Take in a prediction that was saved in the notebook, as a vote."""
        answer = new.predictions.get(self.number)
        if answer is None or self.phase is Phase.REVEALED:
            return
        saves, before = (r.saves.get(self.number, 0) for r in (new, old))
        if self.phase is Phase.FIRST:
            changed = old.predictions.get(self.number) != answer
        else:  # what a server is late to tell was saved before this vote began
            changed, before = False, max(before, self.saves.setdefault(learner, saves))
        if changed or saves > before:
            self.vote(learner, answer)

    def step(self, action: str, reports: dict[str, Report]) -> None:
        """Go on to the next phase.

        Args:
            action: "discuss" or "reveal".
            reports: learner -> newest report.

        Raises:
            Refused: that is not possible now.
        """
        following = _STEPS.get((action, self.phase))
        if following is None:
            raise Refused(f"{action} is not possible now")
        self.phase, self.shown = following, False
        if following is Phase.SECOND:
            self.saves = {n: r.saves.get(self.number, 0) for n, r in reports.items()}


def open_ballot(number: str, reports: dict[str, Report]) -> Ballot:
    """Return a ballot in which earlier predictions stand as first votes."""
    first = {
        name: report.predictions[number]
        for name, report in reports.items()
        if number in report.predictions
    }
    return Ballot(number, first=first)


def tally(votes: dict[str, str], question: Question) -> dict[str, int]:
    """Return how often each bar of `question` was chosen."""
    chosen = Counter(
        key for answer in votes.values() for key in question.chosen(answer) or ()
    )
    return {bar.key: chosen[bar.key] for bar in question.bars}
