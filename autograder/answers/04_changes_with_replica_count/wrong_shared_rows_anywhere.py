"""Single rows, wherever they stand."""

import numpy as np

EXPECT = {"04/my_first_shared": "WRONG rows_anywhere"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            rows = masks[layer, step].reshape(-1, masks.shape[-1])
            if len(np.unique(rows, axis=0)) < len(rows):
                return step, layer
    return None
