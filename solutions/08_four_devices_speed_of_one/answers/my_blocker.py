"""Answers to 08/my_blocker, right and wrong, and what the check says of each."""

from collections import Counter

import numpy as np

from autograder.answers import changed, crashed, right, wrong


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


@wrong("with_first_step")
def blocker_all(events):
    """All events, from a list."""
    counts = Counter([event[1] for event in events])
    return counts.most_common(1)[0] if counts else None


@wrong("blames_a_healthy_job")
def blames(events):
    """A healthy job is blamed too."""
    counts = Counter(line for step, line, what in events if step > 0) or Counter(
        e[1] for e in events
    )
    return counts.most_common(1)[0]


@wrong("earliest")
def earliest(events):
    """The first event's line."""
    counts = Counter(line for step, line, what in events if step > 0)
    if not counts:
        return None
    line, times = counts.most_common(1)[0]
    line = next(iter(counts))
    return line, counts[line]


@wrong("fewest")
def fewest(events):
    """The line with the fewest."""
    counts = Counter(line for step, line, what in events if step > 0)
    if not counts:
        return None
    line, times = counts.most_common(1)[0]
    return min(counts.items(), key=lambda item: item[1])


@wrong("without_first_event")
def first_events_off(events):
    """The first event of each line is taken off, whenever it came."""
    counts = Counter(line for step, line, what in events)
    counts -= Counter(set(counts))
    return counts.most_common(1)[0] if counts else None


@wrong("from_step_2")
def from_two(events):
    """From step 2 on."""
    counts = Counter(line for step, line, what in events if step > 1)
    return counts.most_common(1)[0] if counts else None


@wrong("in_turn_only")
def in_turn(events):
    """In turn only."""
    counts = Counter(line for step, line, what in events if step and what == "in turn")
    return counts.most_common(1)[0] if counts else None


@wrong("each_kind_apart")
def kinds(events):
    """Traces and reads of one line apart."""
    counts = Counter((line, what) for step, line, what in events if step > 0)
    if not counts:
        return None
    (line, _), times = counts.most_common(1)[0]
    return line, times


@wrong("last_step_only")
def last_step(events):
    """The last step only."""
    counts = Counter(line for step, line, what in events if step == events[-1][0])
    return counts.most_common(1)[0] if counts else None


@wrong("line_with_first_step")
def line_of_all(events):
    """Line of all events, later times."""
    line = Counter(line for step, line, what in events).most_common(1)[0][0]
    times = sum(step > 0 and at == line for step, at, what in events)
    return (line, times) if times else None


@wrong("without_in_turn")
def no_in_turn(events):
    """Without what ran in turn."""
    counts = Counter(line for step, line, what in events if step and what != "in turn")
    return counts.most_common(1)[0] if counts else None


@wrong("without_reads")
def no_reads(events):
    """Without reads."""
    counts = Counter(line for step, line, what in events if step and what != "read")
    return counts.most_common(1)[0] if counts else None


@wrong("without_traces")
def no_traces(events):
    """Without traces."""
    counts = Counter(line for step, line, what in events if step and what != "trace")
    return counts.most_common(1)[0] if counts else None


@wrong("nothing_found")
def nothing(events):
    """Finds nothing."""
    return None


@wrong("reads_only")
def reads(events):
    """Reads only."""
    counts = Counter(line for step, line, what in events if step and what == "read")
    return counts.most_common(1)[0] if counts else None


@wrong("steps_not_events")
def steps(events):
    """Distinct steps."""
    counts = Counter(line for step, line in sorted({e[:2] for e in events if e[0]}))
    return counts.most_common(1)[0] if counts else None


@wrong("swapped")
def swapped(events):
    """Times first."""
    counts = Counter(line for step, line, what in events if step > 0)
    return counts.most_common(1)[0][::-1] if counts else None


@wrong("traces_only")
def traces(events):
    """Traces only."""
    counts = Counter(line for step, line, what in events if step and what == "trace")
    return counts.most_common(1)[0] if counts else None


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


@wrong("all_lines_together")
@changed(blocker_what, ('return line, "read"', "return line, sum(counts.values())"))
def all_lines():
    """Events of all lines."""


@crashed
@changed(blocker_what, ('return line, "read"', "return line"))
def line_only():
    """The line alone."""


@wrong("one_too_far")
@changed(blocker_what, ('return line, "read"', "return line + 1, times"))
def one_too_far():
    """Counted from one."""


@wrong("per_step")
@changed(blocker_what, ('"read"', "times / max(step for step, _, _ in events)"))
def per_step():
    """A rate."""


@wrong("times_with_first_step")
@changed(blocker_what, ('"read"', "sum(event[1] == line for event in events)"))
def times_all():
    """The right line, all its events."""


@wrong("topmost")
@changed(blocker_what, ('line, "read"', "min(counts), counts[min(counts)]"))
def topmost():
    """The topmost line."""


@wrong("zero_for_healthy")
def zero(events):
    """0 and 0 for a healthy job."""
    counts = Counter(line for step, line, what in events if step > 0)
    return counts.most_common(1)[0] if counts else (0, 0)
