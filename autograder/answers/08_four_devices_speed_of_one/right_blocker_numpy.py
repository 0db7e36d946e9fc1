"""bincount."""

import numpy as np

EXPECT = {"08/my_blocker": "RIGHT"}


def my_blocker(events):
    lines = [line for step, line, what in events if step != 0]
    if not lines:
        return None
    counts = np.bincount(lines)
    return counts.argmax(), counts.max()
