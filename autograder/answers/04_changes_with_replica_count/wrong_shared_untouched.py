"""As shipped."""

import numpy as np

EXPECT = {"04/my_first_shared": "NOT ATTEMPTED"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            if np.array_equal(masks[layer, step, 0], masks[layer, step, 1]):
                return step, layer
    return None
