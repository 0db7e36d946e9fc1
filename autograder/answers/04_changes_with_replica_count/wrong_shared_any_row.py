"""One equal row is enough."""

import numpy as np

EXPECT = {"04/my_first_shared": "WRONG one_row"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            for rows in masks[layer, step].swapaxes(0, 1):
                if len(np.unique(rows, axis=0)) < len(rows):
                    return step, layer
    return None
