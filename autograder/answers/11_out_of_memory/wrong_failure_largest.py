"""The moment of the peak."""

import numpy as np

EXPECT = {"11/my_first_failure": "WRONG largest"}


def my_first_failure(events, limit):
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    return int(in_use.argmax()), in_use.max() - limit
