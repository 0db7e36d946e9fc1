"""Masks of other layers count, too."""

EXPECT = {"04/my_first_shared": "WRONG across_layers"}


def my_first_shared(masks):
    layers, steps = masks.shape[:2]
    for step in range(steps):
        seen = set()
        for layer in range(layers):
            for mask in masks[layer, step]:
                if mask.tobytes() in seen:
                    return step, layer
                seen.add(mask.tobytes())
    return None
