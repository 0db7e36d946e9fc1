"""Answers to 08/my_blocker, right and wrong, and what the check says of each."""

from collections import Counter

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def counter(events):
    """A Counter of the later events."""
    counts = Counter(line for step, line, what in events if step > 0)
    return counts.most_common(1)[0] if counts else None


@right
def blocker_dict(events):
    """A dict, by hand."""
    counts = {}
    for step, line, _ in events:
        if step:
            counts[line] = counts.get(line, 0) + 1
    if not counts:
        return None
    worst = max(counts, key=counts.get)
    return [worst, float(counts[worst])]


@right
def numpy(events):
    """bincount."""
    lines = [line for step, line, what in events if step != 0]
    if not lines:
        return None
    counts = np.bincount(lines)
    return counts.argmax(), counts.max()


@crashed
def line_only(events):
    """The line alone."""
    counts = Counter(line for step, line, what in events if step > 0)
    if not counts:
        return None
    line, times = counts.most_common(1)[0]
    return line


@wrong
def unknown(events):
    """A mistake nobody knows."""
    counts = Counter(line for step, line, what in events if step > 0)
    return (7, 77) if counts else None


@crashed
def blocker_what(events):
    """The kind instead of the number."""
    counts = Counter(line for step, line, what in events if step > 0)
    if not counts:
        return None
    line, times = counts.most_common(1)[0]
    return line, "read"


@wrong("first_step_with_events")
def smallest_step(events):
    """The first step is taken for that of the first event."""
    first = min(step for step, line, what in events)
    counts = Counter(line for step, line, what in events if step != first)
    return counts.most_common(1)[0] if counts else None
