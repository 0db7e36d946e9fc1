"""Wrong answers to 04/my_first_shared: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np


def first_two_replicas(masks):
    """It compares replicas 0 and 1 only. Other replicas may share."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if (four[0] == four[1]).all():
                return step, layer
    return None


def against_replica_0(masks):
    """It compares every replica with replica 0. Two others may share."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if any((four[0] == each).all() for each in four[1:]):
                return step, layer
    return None


def neighbours(masks):
    """It compares neighbours only. Replicas 1 and 3 may share, and 2 not."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if any((a == b).all() for a, b in zip(four[1:], four[:-1], strict=True)):
                return step, layer
    return None


def all_replicas(masks):
    """It asks whether ALL replicas have the same mask. Two are enough."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if (four == four[0]).all():
                return step, layer
    return None


def by_layer(masks):
    """It goes through the layers first. Asked is the first step, and in it the
    first layer.
    """
    for layer, steps in enumerate(masks):
        for step, four in enumerate(steps):
            if len(np.unique(four, axis=0)) < len(four):
                return step, layer
    return None


def first_row(masks):
    """It compares the first rows only, which may agree by chance. Compare all rows
    of the replicas.
    """
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len(np.unique(four[:, 0], axis=0)) < len(four):
                return step, layer
    return None


def one_row(masks):
    """It takes one equal row for enough, which may come by chance. All rows of two
    replicas must be equal.
    """
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            for rows in masks[layer, step].swapaxes(0, 1):
                if len(np.unique(rows, axis=0)) < len(rows):
                    return step, layer
    return None


def rows_anywhere(masks):
    """It compares single rows, wherever they stand, not whole masks of replicas."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            rows = masks[layer, step].reshape(-1, masks.shape[-1])
            if len(np.unique(rows, axis=0)) < len(rows):
                return step, layer
    return None


def equal_share(masks):
    """It compares how much is kept, not the masks themselves."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len(set(four.mean(axis=(1, 2)))) < len(four):
                return step, layer
    return None


def everywhere(masks):
    """It finds something in every recording, at once: it compares a replica with
    itself.
    """
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


def single_values(masks):
    """It counts single values, True and False, not masks: np.unique needs axis=0."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            if len(np.unique(masks[layer, step])) < masks.shape[2]:
                return step, layer
    return None


def four_replicas(masks):
    """It takes for granted that there are four replicas. masks.shape says how many
    there are.
    """
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            if len({mask.tobytes() for mask in masks[layer, step]}) < 4:
                return step, layer
    return None


def across_layers(masks):
    """It also compares masks of different layers. Asked is what replicas share
    within one layer.
    """
    layers, steps = masks.shape[:2]
    for step in range(steps):
        seen = set()
        for layer in range(layers):
            for mask in masks[layer, step]:
                if mask.tobytes() in seen:
                    return step, layer
                seen.add(mask.tobytes())
    return None


def repeated_steps(masks):
    """It looks for masks that are repeated from step to step. Asked is what
    replicas share within a step.
    """
    layers, steps = masks.shape[:2]
    for step in range(1, steps):
        for layer in range(layers):
            if np.array_equal(masks[layer, step], masks[layer, step - 1]):
                return step, layer
    return None


def order_of_the_pair(masks):
    """Layer and step are swapped. Return (step, layer)."""
    layers, steps = masks.shape[:2]
    for step in range(steps):
        for layer in range(layers):
            four = masks[layer, step]
            if len(np.unique(four, axis=0)) < len(four):
                return layer, step
    return None


MISTAKES = (
    first_two_replicas,
    against_replica_0,
    neighbours,
    all_replicas,
    by_layer,
    first_row,
    one_row,
    rows_anywhere,
    equal_share,
    everywhere,
    single_values,
    four_replicas,
    across_layers,
    repeated_steps,
    order_of_the_pair,
)
