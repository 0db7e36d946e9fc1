"""Filled lists as an array."""

import numpy as np

EXPECT = {"12/my_wrong_entry": "RIGHT"}


def my_wrong_entry(lists, listens):
    filled = [own + [""] * (len(listens) - len(own)) for own in lists]
    found = np.argwhere(np.array(filled) != np.array(listens))
    return tuple(found[0]) if len(found) else None
