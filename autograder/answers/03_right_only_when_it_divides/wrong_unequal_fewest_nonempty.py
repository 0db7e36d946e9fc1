"""The replica with the fewest rows that has any."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG fewest_nonempty"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() < each.max():
            replica = np.where(each > 0, each, 99).argmin()
            return step, replica, 1 / (len(each) * each[replica])
    return None
