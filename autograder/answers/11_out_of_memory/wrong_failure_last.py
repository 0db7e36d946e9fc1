"""The last event over the limit."""

import numpy as np

EXPECT = {"11/my_first_failure": "WRONG last"}


def my_first_failure(events, limit):
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    return int(np.flatnonzero(in_use > limit)[-1]), in_use[in_use > limit][-1] - limit
