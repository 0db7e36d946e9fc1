"""From step 2 on."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG from_step_2"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events if step > 1)
    return counts.most_common(1)[0] if counts else None
