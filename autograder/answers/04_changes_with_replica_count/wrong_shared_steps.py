"""Masks that repeat from step to step."""

import numpy as np

EXPECT = {"04/my_first_shared": "WRONG repeated_steps"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(1, steps):
        for layer in range(layers):
            if np.array_equal(masks[layer, step], masks[layer, step - 1]):
                return step, layer
    return None
