"""The right weight in the wrong step: the first smaller batch."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG smaller_batch_right_weight"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.sum() < counts[0].sum():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), weights[off.argmax()]
    return None
