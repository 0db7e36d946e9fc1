"""Count the steps from 1."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG one_step_late"}


def my_first_unequal(counts):
    for step, each in enumerate(counts, start=1):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), weights[off.argmax()]
    return None
