"""Layer first in the pair."""

import numpy as np

EXPECT = {"04/my_first_shared": "WRONG order_of_the_pair"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len(np.unique(four, axis=0)) < len(four):
                return layer, step
    return None
