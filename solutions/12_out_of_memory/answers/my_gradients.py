"""Answers to 12/my_gradients, right and wrong, and what the check says of each."""

import math

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def dataset(weights, x, y, row_losses, most):
    """tf.data cuts the batch."""
    parts = tf.data.Dataset.from_tensor_slices((x, y)).batch(most)
    sums = [tf.Variable(tf.zeros_like(w)) for w in weights]
    for part_x, part_y in parts:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(part_x, part_y)) / y.shape[0]
        for held, gradient in zip(sums, tape.gradient(loss, weights), strict=True):
            held.assign_add(gradient)
    return sums


@right
def even_parts(weights, x, y, row_losses, most):
    """As many parts as needed, of nearly equal size."""
    count = math.ceil(len(x) / most)
    total = [0.0 for _ in weights]
    for ids in np.array_split(np.arange(len(x)), count):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(tf.gather(x, ids), tf.gather(y, ids)))
        gradients = tape.gradient(loss, weights)
        total = [t + g.numpy() / len(x) for t, g in zip(total, gradients, strict=True)]
    return total


@right
def function(weights, x, y, row_losses, most):
    """A tf.function for each micro-batch."""

    @tf.function
    def summed(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x, y))
        return tape.gradient(loss, weights)

    parts = [summed(x[i : i + most], y[i : i + most]) for i in range(0, len(x), most)]
    return [tf.add_n(gradients) / len(x) for gradients in zip(*parts, strict=True)]


@right
def padded(weights, x, y, row_losses, most):
    """The last part is filled up with rows of zeros that count nothing."""
    missing = -len(x) % most
    counts = tf.concat([tf.ones_like(y), tf.zeros(missing)], axis=0)
    x, y = tf.pad(x, [[0, missing], [0, 0]]), tf.pad(y, [[0, missing]])
    total = [tf.zeros_like(w) for w in weights]
    for part in range(len(x) // most):
        own = slice(part * most, (part + 1) * most)
        with tf.GradientTape() as tape:
            losses = row_losses(x[own], y[own])
            loss = tf.tensordot(losses, counts[own], 1) / tf.reduce_sum(counts)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total


@right
def persistent(weights, x, y, row_losses, most):
    """A persistent tape, closed before the next rows."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        total = [
            t + tape.gradient(loss, w) for t, w in zip(total, weights, strict=True)
        ]
        del tape
    return [t / len(x) for t in total]


@right
def recursive(weights, x, y, row_losses, most):
    """The first part, and then the rest."""

    def summed(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[:most], y[:most]))
        own = tape.gradient(loss, weights)
        if len(x) <= most:
            return own
        rest = summed(x[most:], y[most:])
        return [a + b for a, b in zip(own, rest, strict=True)]

    return tuple(g / len(x) for g in summed(x, y))


@right
def gradients_sum(weights, x, y, row_losses, most):
    """Sums of each micro-batch, divided at the end."""
    total = None
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        if total is None:
            total = gradients
        else:
            total = [a + b for a, b in zip(total, gradients, strict=True)]
    return [t / len(x) for t in total]


@right
def weighted(weights, x, y, row_losses, most):
    """Means, weighted by their rows."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        part_x, part_y = x[i : i + most], y[i : i + most]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(row_losses(part_x, part_y))
        share = len(part_x) / len(x)
        for k, gradient in enumerate(tape.gradient(loss, weights)):
            total[k] += share * gradient
    return total


@crashed
def endless(weights, x, y, row_losses, most):
    """The start never moves."""
    start, total = 0, 0
    while start < len(x):
        total += len(x[start : start + most])
    return total


@wrong
@changed(
    gradients_sum,
    ("len(x), most)", "len(x), most // 2)"),
    (
        "(x[i : i + most], y[i : i + most])",
        "(x[i : i + most // 2], y[i : i + most // 2])",
    ),
)
def half_parts():
    """Parts of half the size that fits."""


@wrong("one_row_more")
@changed(
    gradients_sum,
    ("len(x), most)", "len(x), most + 1)"),
    (
        "(x[i : i + most], y[i : i + most])",
        "(x[i : i + most + 1], y[i : i + most + 1])",
    ),
)
def parts_too_large():
    """One row more than fits."""


@wrong("one_row_twice")
@changed(
    gradients_sum,
    (
        "(x[i : i + most], y[i : i + most])",
        "(x[i : i + most + 1], y[i : i + most + 1])",
    ),
)
def parts_that_overlap():
    """Each part ends one row too late."""


@wrong
@changed(weighted, ("total[k] += share * gradient", "total += [share * gradient]"))
def list_grows():
    """+= makes the list longer."""


@wrong
def means_outside(weights, x, y, row_losses, most):
    """The network runs under the tape, but its mean does not."""
    parts = range(0, len(x), most)
    with tf.GradientTape() as tape:
        losses = [row_losses(x[i : i + most], y[i : i + most]) for i in parts]
    return tape.gradient(tf.reduce_mean(tf.concat(losses, axis=0)), weights)


@wrong
def loss_outside(weights, x, y, row_losses, most):
    """The tape is closed before the network runs."""
    with tf.GradientTape() as tape:
        part_x, part_y = x[:most], y[:most]
    return tape.gradient(tf.reduce_mean(row_losses(part_x, part_y)), weights)


@wrong
def nothing(weights, x, y, row_losses, most):
    """No return."""
    for i in range(0, len(x), most):
        row_losses(x[i : i + most], y[i : i + most])


@crashed
@changed(gradients_sum, ("y[i : i + most]", "y"))
def numpy_rows():
    """y is not cut."""


@wrong
@tf.function
def one_graph(weights, x, y, row_losses, most):
    """The whole loop in one graph, whose parts may run at the same time."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return [t / len(x) for t in total]


@wrong("held_together")
@changed(
    persistent,
    ("total = [tf.zeros_like(w)", "tapes, total = [], [tf.zeros_like(w)"),
    ("del tape", "tapes.append(tape)"),
)
def persistent_kept():
    """Persistent tapes in a list are not freed."""


@wrong
def recompute(weights, x, y, row_losses, most):
    """recompute_grad over the whole batch: all of it is computed again."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.recompute_grad(row_losses)(x, y))
    return tape.gradient(loss, weights)


@wrong
@changed(gradients_sum, ("for t in total]", "for t in total][0]"))
def one_number():
    """One gradient for all weights."""


@wrong("held_together")
def tapes_kept(weights, x, y, row_losses, most):
    """A tape for each micro-batch, but all kept until the end."""
    tapes, total = [], [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        tapes.append((tape, loss))
    for tape, loss in tapes:
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total


@wrong
@changed(gradients_sum, ("[t / len(x)", "[-t / len(x)"))
def up_hill():
    """An unknown mistake: the sign."""
