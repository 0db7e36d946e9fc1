"""np.unique without its axis."""

import numpy as np

EXPECT = {"04/my_first_shared": "WRONG single_values"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            if len(np.unique(masks[layer, step])) < masks.shape[2]:
                return step, layer
    return None
