"""Arrays."""

import numpy as np

EXPECT = {"07/my_limit": "RIGHT"}


def my_limit(spans):
    table = np.array(spans)
    stages = table[:, 0].max() + 1
    each = []
    for stage in range(stages):
        own = table[table[:, 0] == stage]
        each.append((own[:, 4] - own[:, 3]).sum() / len(np.unique(own[:, 1])))
    steps = table[table[:, 0] == stages - 1]
    waited = (steps[1:, 3] - steps[:-1, 4]).sum()
    return np.argmax(each), waited
