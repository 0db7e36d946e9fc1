"""What is predicted of pairs of TF_CONFIGs, and what real starts with them do."""

from __future__ import annotations

from collections.abc import Callable

from course.lessons.n12_cluster_never_starts.cluster_starts import (
    ClusterStart,
    Job,
    start_clusters,
)
from course.lessons.n12_cluster_never_starts.written import letters_of, texts_of

QUESTIONS = ("Does anybody get an error?", "Does anybody finish?")
WAYS = {
    "ab 0, ba 0": (False, False),
    "ab 0, xb 1": (False, False),
    "ax 0, ab 1": (True, False),
    "ab 0, ax 1": (True, False),
    "a 0, ab 1": (True, True),
    "ab 0, {}": (False, True),
    "ba 1, ba 0": (False, True),
}


def written_job(short: str, label: str = "") -> Job:
    """Return the job with the TF_CONFIGs of `short`, such as "ab 0, xb 1"."""

    def configs(hosts: list[str], nobody: str) -> list[str]:
        return texts_of(short, letters_of(hosts, nobody))

    return Job(configs, label or short, len(short.split(", ")))


def observe_ways(train: Callable[..., object]) -> dict[str, tuple[bool, bool]]:
    """Start two real workers with each pair.

    train: called in each worker with its number.

    Returns:
        pair -> whether a worker had an error, and whether one came to its end.
    """
    starts = start_clusters(train, [written_job(short) for short in WAYS])
    return {
        start.label: (_some(start, "raised"), _some(start, "returned"))
        for start in starts
    }


def _some(start: ClusterStart, outcome: str) -> bool:
    return any(member.outcome == outcome for member in start.members)
