"""What learners predict of pairs of TF_CONFIGs, and what real starts with them do."""

from __future__ import annotations

from collections.abc import Callable

from course.lessons.n13_cluster_never_starts.cluster_starts import (
    ClusterStart,
    start_clusters,
    written_job,
)

QUESTIONS = ("Does A or B get an error?", "Does A or B finish?")
WAYS = {
    "ab 0, ba 0": (False, False),
    "ax 0, ab 1": (True, False),
    "ab 0, {}": (False, True),
    "ba 1, ba 0": (False, True),
}


def observe_ways(train: Callable[..., object]) -> dict[str, tuple[bool, bool]]:
    """Start two real processes with each pair.

    train: called with 0 in process A, with 1 in process B.

    Returns:
        pair -> whether a process got an error, and whether one finished.
    """
    starts = start_clusters(train, [written_job(short) for short in WAYS])
    return {
        start.label: (_some(start, "raised"), _some(start, "returned"))
        for start in starts
    }


def _some(start: ClusterStart, outcome: str) -> bool:
    return any(member.outcome == outcome for member in start.members)
