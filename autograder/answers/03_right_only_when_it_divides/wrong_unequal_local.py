"""The right place; the weight inside the replica."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG local_weight"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), 1 / each[off.argmax()]
    return None
