"""The replica with the fewest rows, even if it has none."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG fewest_rows"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() < each.max():
            replica = each.argmin()
            with np.errstate(divide="ignore"):
                return step, replica, 1 / (len(each) * each[replica])
    return None
