"""NumPy masks."""

import numpy as np

EXPECT = {"06/my_misplaced": "RIGHT"}


def my_misplaced(operations, devices):
    ran = np.array([line[2] for line in operations])
    own = np.array(devices)[[line[0] for line in operations]]
    rows = np.array([line[3] for line in operations])
    wrong = ran != own
    if not wrong.any():
        return None
    return wrong.argmax(), rows[wrong].sum()
