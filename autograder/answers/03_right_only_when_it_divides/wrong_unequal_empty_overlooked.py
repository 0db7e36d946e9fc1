"""Compare only the replicas that have rows."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG empty_overlooked"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        used = each[each > 0]
        if used.min() < used.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), weights[off.argmax()]
    return None
