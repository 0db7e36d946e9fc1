"""Replicas 0 and 1, written otherwise."""

EXPECT = {"04/my_first_shared": "WRONG first_two_replicas"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if (four[0] == four[1]).all():
                return step, layer
    return None
