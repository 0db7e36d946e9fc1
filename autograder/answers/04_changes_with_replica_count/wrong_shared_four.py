"""Four replicas are taken for granted."""

EXPECT = {"04/my_first_shared": "WRONG four_replicas"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            if len({mask.tobytes() for mask in masks[layer, step]}) < 4:
                return step, layer
    return None
