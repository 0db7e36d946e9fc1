"""What was paid for a job: looks in coins, wrong names in points."""

from __future__ import annotations

from collections.abc import Collection

from course.learner import progress
from course.lessons.n21_mystery_jobs.looks import FAILED, LOOKS

OWN = "own"  # a look at a repair, which is new each time


class Ledger:
    """What one learner paid for the jobs of one seed; kept when a kernel ends.

    label: what the names of the exercises begin with.
    seed: of the jobs.
    """

    def __init__(self, label: str, seed: int) -> None:
        self._all = f"{label}/{seed}"

    def pay(self, job: int, look: str, *, own: bool = False) -> int:
        """Pay for a look, once for a shipped job; return what it cost now, in coins."""
        if not own and look in self.bought(job):
            return 0
        kind = f"{OWN} {look}" if own else look
        progress.remember_spent(self._key(job, "look", kind), LOOKS[look].cost)
        return LOOKS[look].cost

    def bought(self, job: int) -> tuple[str, ...]:
        """Return the looks at the shipped job that were paid for."""
        spent = progress.load().spent
        return tuple(name for name in LOOKS if self._key(job, "look", name) in spent)

    def spent(self, job: int) -> int:
        """Return the coins that a job has cost so far."""
        return self._sum(job, "look")

    def failed(self, job: int) -> dict[str, int]:
        """Return what a repair costs whose check says what is still wrong."""
        return {self._key(job, "look", "failed repair"): FAILED}

    def misnamed(self, job: int, names: Collection[str]) -> dict[str, int]:
        """Return what a wrong name costs; the same once more costs nothing more."""
        key = self._key(job, "name", "+".join(sorted(names)) or "healthy")
        return {} if key in progress.load().spent else {key: 1}

    def wrong(self, job: int) -> int:
        """Return how many wrong names a job was given."""
        return self._sum(job, "name")

    def _key(self, job: int, kind: str, what: str = "") -> str:
        return f"{self._all}/{job}/{kind}/{what}"

    def _sum(self, job: int, kind: str) -> int:
        begin, spent = self._key(job, kind), progress.load().spent
        return sum(cost for key, cost in spent.items() if key.startswith(begin))
