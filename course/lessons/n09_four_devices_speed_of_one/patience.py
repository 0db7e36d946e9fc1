"""One patience for all cases of a check: only the first wait in vain is a long one."""

from __future__ import annotations

from dataclasses import dataclass

from course.runs.rendezvous import Rendezvous

BRIEFLY = 0.05  # seconds; the verdict is known by then, only its cause may change


@dataclass(eq=False)
class Patience:
    """What the cases of one check share.

    lost: a rendezvous of an earlier case was in vain.
    """

    lost: bool = False

    def place(self, count: int) -> Rendezvous:
        """Return a new place for `count` participants."""
        return Rendezvous(count, BRIEFLY if self.lost else None)

    def meets(self, place: Rendezvous, count: int) -> bool:
        """Return whether all `count` met there, every time they came; remember it."""
        met = not place.in_vain and place.met >= count
        self.lost = self.lost or not met
        return met
