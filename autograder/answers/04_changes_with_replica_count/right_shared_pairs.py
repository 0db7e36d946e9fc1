"""Compare every pair."""

import numpy as np

EXPECT = {"04/my_first_shared": "RIGHT"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            for a in range(len(four)):
                for b in range(a):
                    if np.array_equal(four[a], four[b]):
                        return step, layer
    return None
