"""The shipped code, with a docstring."""

from collections import Counter

EXPECT = {"08/my_blocker": "NOT ATTEMPTED"}


def my_blocker(events):
    """Return the line."""
    counts = Counter(line for step, line, what in events)
    return counts.most_common(1)[0] if counts else None
