"""Layers before steps."""

import numpy as np

EXPECT = {"04/my_first_shared": "WRONG by_layer"}


def my_first_shared(masks):
    for layer, steps in enumerate(masks):
        for step, four in enumerate(steps):
            if len(np.unique(four, axis=0)) < len(four):
                return step, layer
    return None
