"""Answers to 04/my_first_shared, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import right, wrong


@right
def shared_bytes(masks):
    """Masks as bytes in a set."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len({each.tobytes() for each in four}) != len(four):
                return np.int64(step), np.int64(layer)


@right
def pairs(masks):
    """Compare every pair."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            for a in range(len(four)):
                for b in range(a):
                    if np.array_equal(four[a], four[b]):
                        return step, layer
    return None


@right
def unique(masks):
    """Count the different masks."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len(np.unique(four, axis=0)) < len(four):
                return step, layer
    return None


@wrong
def shared_bool(masks):
    """Say only whether something is shared."""
    return len(np.unique(masks[0, 0], axis=0)) < 4


@wrong
def layers_after_the_first(masks):
    """All layers but the first."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(1, layers):
            if len(np.unique(masks[layer, step], axis=0)) < masks.shape[2]:
                return step, layer
    return None


@wrong
def steps_before_the_last(masks):
    """All steps but the last."""
    layers, steps = masks.shape[:2]
    for step in range(steps - 1):
        for layer in range(layers):
            if len(np.unique(masks[layer, step], axis=0)) < masks.shape[2]:
                return step, layer
    return None
