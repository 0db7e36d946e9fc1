"""The right place; the weight of the replica instead of its row's."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG weight_of_replica"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), 1 / len(each)
    return None
