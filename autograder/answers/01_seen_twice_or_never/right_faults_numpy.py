"""NumPy: the first position that is no first occurrence."""

import numpy as np

EXPECT = {"01/my_first_faults": "RIGHT"}


def my_first_faults(steps, rows):
    sights = np.concatenate([np.array(s, int) for step in steps for s in step])
    repeats = np.ones(len(sights), bool)
    repeats[np.unique(sights, return_index=True)[1]] = False
    never = np.setdiff1d(np.arange(rows), sights)
    again = sights[repeats]
    return (again[0] if len(again) else None, never[0] if len(never) else None)
