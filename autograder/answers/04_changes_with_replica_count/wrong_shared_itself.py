"""A replica is compared with itself, too."""

import numpy as np

EXPECT = {"04/my_first_shared": "WRONG everywhere"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    replicas = range(masks.shape[2])
    for step in range(steps):
        for layer in range(layers):
            drawn = masks[layer, step]
            if any(
                np.array_equal(drawn[a], drawn[b]) for a in replicas for b in replicas
            ):
                return step, layer
    return None
