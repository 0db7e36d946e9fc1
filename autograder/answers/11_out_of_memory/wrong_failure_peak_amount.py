"""The right place, the amount of the peak."""

import numpy as np

EXPECT = {"11/my_first_failure": "WRONG missing_at_the_peak"}


def my_first_failure(events, limit):
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    first = int(np.argmax(in_use > limit))
    return first, in_use.max() - limit
