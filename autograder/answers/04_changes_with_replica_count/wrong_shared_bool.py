"""Say only whether something is shared."""

import numpy as np

EXPECT = {"04/my_first_shared": "CRASHED"}


def my_first_shared(masks):
    return len(np.unique(masks[0, 0], axis=0)) < 4
