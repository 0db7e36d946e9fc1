"""How much is kept."""

EXPECT = {"04/my_first_shared": "WRONG equal_share"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len(set(four.mean(axis=(1, 2)))) < len(four):
                return step, layer
    return None
