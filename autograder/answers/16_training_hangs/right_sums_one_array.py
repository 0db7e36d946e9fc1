"""All in one array, cut again afterwards."""

import numpy as np

EXPECT = {"16/my_sums": "RIGHT"}


def my_sums(gradients, sum_over_workers):
    names = sorted(gradients)
    whole = sum_over_workers(np.stack([gradients[name] for name in names]))
    return dict(zip(names, np.asarray(whole), strict=False))
