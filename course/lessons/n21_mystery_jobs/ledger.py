"""What was paid for a job: looks in coins, wrong names in points."""

from __future__ import annotations

from collections.abc import Collection

from course.learner import progress
from course.lessons.n21_mystery_jobs.looks import AGAIN, FAILED, LOOKS, MISPLACED

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

    def pay_for_all(self, job: int, looks: Collection[str]) -> int:
        """Pay for all looks that are not bought yet; return what that cost now."""
        return sum(self.pay(job, look) for look in looks)

    def bought(self, job: int) -> tuple[str, ...]:
        """Return the looks at the shipped job that were paid for."""
        spent = progress.load().spent
        return tuple(name for name in LOOKS if self._key(job, "look", name) in spent)

    def spent(self, job: int) -> int:
        """Return the coins that a job has cost so far."""
        return self._sum(job, "look")

    def failed(self, job: int) -> dict[str, int]:
        """Return what the check of a repair costs that ran and is not RIGHT."""
        return {self._key(job, "look", "failed repair"): FAILED}

    def named(self, job: int, names: Collection[str], *, right: bool) -> dict[str, int]:
        """Return what it costs to ask for a name; the same name again is free.

        A wrong name costs a point. Every name after the first costs coins as well.
        """
        key = self._key(job, "name", "+".join(sorted(names)) or "healthy")
        names_of_job = self._key(job, "name")
        asked = [k for k in progress.load().spent if k.startswith(names_of_job)]
        if key in asked:
            return {}
        again = {self._key(job, "look", "name asked again"): AGAIN} if asked else {}
        return {key: int(not right)} | again

    def misplaced(self, job: int, place: object) -> dict[str, int]:
        """Return what a wrong place costs; the same place again is free."""
        key = self._key(job, "look", f"place {place}")
        return {} if key in progress.load().spent else {key: MISPLACED}

    def wrong(self, job: int) -> int:
        """Return how many wrong names a job was given."""
        return self._sum(job, "name")

    def solving(self, job: int, kind: str) -> dict[str, int]:
        """Return what notes that a job's "name", "place" or "job" is RIGHT."""
        return {self._key(job, "right", kind): 0}

    def solved(self, job: int, kind: str) -> bool:
        """Return whether that was noted, for the jobs of this seed."""
        return self._key(job, "right", kind) in progress.load().spent

    def _key(self, job: int, kind: str, what: str = "") -> str:
        return f"{self._all}/{job}/{kind}/{what}"

    def _sum(self, job: int, kind: str) -> int:
        begin, spent = self._key(job, kind), progress.load().spent
        return sum(cost for key, cost in spent.items() if key.startswith(begin))
