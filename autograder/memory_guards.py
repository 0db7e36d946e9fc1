"""What limited the memory of submissions, in words for the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

GUARDS = {
    "cgroup": "Memory was limited by cgroups, in which Linux counts all of it.",
    "watching": (
        "Memory was limited by watching the processes ten times a second: no cgroup "
        "could be made. Memory that is hidden on purpose can escape it."
    ),
    "none": "Memory was not limited: submissions ran with --no-isolation.",
}


def said_of(guards: Iterable[str]) -> list[str]:
    """A sentence for each guard there is; with how many, where there are several.

    What never ran has none, and a key that is none of GUARDS is left out.
    """
    counts = Counter(each for each in guards if each in GUARDS)
    if len(counts) == 1:
        return [GUARDS[key] for key in counts]
    return [
        f"{sentence} Submissions: {counts[key]}."
        for key, sentence in GUARDS.items()
        if counts[key]
    ]
