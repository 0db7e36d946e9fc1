"""The place among the events that take memory."""

import numpy as np

EXPECT = {"11/my_first_failure": "WRONG number_among_taken"}


def my_first_failure(events, limit):
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    first = int(np.argmax(in_use > limit))
    return sum(c > 0 for _, c in events[:first]), in_use[first] - limit
