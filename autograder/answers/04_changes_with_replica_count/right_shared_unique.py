"""Count the different masks."""

import numpy as np

EXPECT = {"04/my_first_shared": "RIGHT"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len(np.unique(four, axis=0)) < len(four):
                return step, layer
    return None
