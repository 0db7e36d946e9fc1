"""Line of all events, later times."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG line_with_first_step"}


def my_blocker(events):
    line = Counter(line for step, line, what in events).most_common(1)[0][0]
    times = sum(step > 0 and at == line for step, at, what in events)
    return (line, times) if times else None
