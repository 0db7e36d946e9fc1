"""With NumPy arrays, one row for each stage."""

import numpy as np

EXPECT = {"09/my_first_stall": "RIGHT"}


def my_first_stall(visits, slack):
    table = np.array(visits)
    done = np.zeros((table[:, 0].max() + 1, table[:, 1].max() + 1))
    for stage, micro, begin, end in table:
        before = done[stage - 1, micro] if stage else 0
        late = begin - max(done[stage].max(), before)
        if late > slack:
            return np.array([stage, micro, late])
        done[stage, micro] = end
