"""Only where all replicas agree."""

EXPECT = {"04/my_first_shared": "WRONG all_replicas"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if (four == four[0]).all():
                return step, layer
    return None
