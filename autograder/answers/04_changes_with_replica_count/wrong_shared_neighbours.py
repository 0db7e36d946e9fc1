"""Neighbours only."""

EXPECT = {"04/my_first_shared": "WRONG neighbours"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if any((a == b).all() for a, b in zip(four[1:], four[:-1], strict=True)):
                return step, layer
    return None
