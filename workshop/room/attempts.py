"""Who is stuck: when somebody last tried, and how often with the same mistake."""

from __future__ import annotations

from dataclasses import dataclass, field

from workshop.room.reports import Report


@dataclass
class Attempts:
    """One learner's attempts, as their reports tell of them.

    at: exercise -> when the last one was heard of, in seconds since 1970.
    same: exercise -> how often in a row the same known mistake was made.
    """

    at: dict[str, float] = field(default_factory=dict)
    same: dict[str, int] = field(default_factory=dict)

    def take(self, new: Report, old: Report, now: float) -> None:
        """Take in what a report tells, `old` being the one before."""
        for exercise, tries in new.tries.items():
            more = tries - old.tries.get(exercise, 0)
            if more <= 0:
                continue
            self.at[exercise] = now
            mistake = new.mistakes.get(exercise)
            if mistake is None:
                self.same.pop(exercise, None)
            elif mistake == old.mistakes.get(exercise):
                self.same[exercise] = self.same.get(exercise, 1) + more
            else:
                self.same[exercise] = 1

    def last(self, report: Report) -> tuple[str, float] | None:
        """The exercise tried last of those that are not solved yet, and when."""
        open_ones = [(at, e) for e, at in self.at.items() if not report.solved(e)]
        if not open_ones:
            return None
        at, exercise = max(open_ones)
        return exercise, at
