"""Every replica against replica 0."""

EXPECT = {"04/my_first_shared": "WRONG against_replica_0"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if any((four[0] == each).all() for each in four[1:]):
                return step, layer
    return None
