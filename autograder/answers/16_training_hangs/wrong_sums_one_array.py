"""One array, in the worker's own order."""

import numpy as np

EXPECT = {"16/my_sums": "WRONG one_array_in_own_order"}


def my_sums(gradients, sum_over_workers):
    whole = np.asarray(sum_over_workers(np.stack(list(gradients.values()))))
    return dict(zip(sorted(gradients), whole, strict=False))
