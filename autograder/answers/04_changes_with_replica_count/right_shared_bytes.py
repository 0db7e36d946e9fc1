"""Masks as bytes in a set."""

import numpy as np

EXPECT = {"04/my_first_shared": "RIGHT"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len({each.tobytes() for each in four}) != len(four):
                return np.int64(step), np.int64(layer)
