"""NumPy adds up, and finds the first."""

import numpy as np

EXPECT = {"11/my_first_failure": "RIGHT"}


def my_first_failure(events, limit):
    in_use = np.cumsum([change for _, change in events])
    over = np.flatnonzero(in_use > limit)
    return (over[0], in_use[over[0]] - limit) if len(over) else None
