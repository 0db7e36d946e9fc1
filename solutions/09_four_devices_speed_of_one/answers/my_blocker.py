"""Answers to 09/my_blocker, right and wrong, and what the check says of each."""

from collections import Counter

import numpy as np

from autograder.answers import right, wrong


@right
def counter(events):
    """A Counter of the later steps, each once for a line."""
    waits = {(step, line) for step, line, what in events if step > 0}
    counts = Counter(line for step, line in waits)
    return counts.most_common(1)[0] if counts else None


@right
def blocker_dict(events):
    """A dict of sets, by hand."""
    steps = {}
    for step, line, _ in events:
        if step:
            steps.setdefault(line, set()).add(step)
    if not steps:
        return None
    worst = max(steps, key=lambda line: len(steps[line]))
    return [worst, float(len(steps[worst]))]


@right
def numpy(events):
    """unique, then bincount."""
    rows = [event[:2] for event in events if event[0] != 0]
    if not rows:
        return None
    counts = np.bincount(np.unique(rows, axis=0)[:, 1])
    return counts.argmax(), counts.max()


@wrong("events_not_steps")
def later_events(events):
    """A Counter of the later events."""
    counts = Counter(line for step, line, what in events if step > 0)
    return counts.most_common(1)[0] if counts else None


@wrong
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


@wrong
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
    waits = sorted({(step, line) for step, line, what in events if step != first})
    counts = Counter(line for step, line in waits)
    return counts.most_common(1)[0] if counts else None
