"""The first rows only."""

import numpy as np

EXPECT = {"04/my_first_shared": "WRONG first_row"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len(np.unique(four[:, 0], axis=0)) < len(four):
                return step, layer
    return None
