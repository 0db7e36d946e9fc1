"""Answers to 11/my_gradients, right and wrong, and what the check says of each."""

import math

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong
from course.runs.workloads import LEARNING_RATE


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
def weighed(weights, x, y, row_losses, most):
    """Means, weighed with their rows."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        part_x, part_y = x[i : i + most], y[i : i + most]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(row_losses(part_x, part_y))
        share = len(part_x) / len(x)
        for k, gradient in enumerate(tape.gradient(loss, weights)):
            total[k] += share * gradient
    return total


@wrong("all_at_once")
def all_at_once(weights, x, y, row_losses, most):
    """Another way to send all rows at once."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(row_losses(x, y)) / len(x)
    return tape.gradient(loss, weights)


@wrong("divided_twice")
def by_both(weights, x, y, row_losses, most):
    """Divided by the rows, and by the parts."""
    total = [tf.zeros_like(w) for w in weights]
    count = -(-len(x) // most)
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return [t / count for t in total]


@wrong("divided_by_most")
def by_most(weights, x, y, row_losses, most):
    """Each sum divided by the full size."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most])) / most
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total


@wrong("divided_by_parts")
def by_parts(weights, x, y, row_losses, most):
    """Divided by the number of micro-batches."""
    total = [tf.zeros_like(w) for w in weights]
    count = -(-len(x) // most)
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return [t / count for t in total]


@wrong("divided_by_full_parts")
@changed(by_parts, ("t / count", "t / (most * count)"))
def by_full_parts():
    """Divided as if the last part were full."""


@crashed
def endless(weights, x, y, row_losses, most):
    """The start never moves."""
    start, total = 0, 0
    while start < len(x):
        total += len(x[start : start + most])
    return total


@wrong("first_only")
def first_only(weights, x, y, row_losses, most):
    """Only the rows that fit."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(row_losses(x[:most], y[:most]))
    return tape.gradient(loss, weights)


@wrong
def half_parts(weights, x, y, row_losses, most):
    """Parts of half the size that fits."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most // 2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most // 2], y[i : i + most // 2]))
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return [t / len(x) for t in total]


@wrong("last_share_only")
def last_share(weights, x, y, row_losses, most):
    """Keeps the last share only."""
    for start in range(0, len(x), most):
        part = slice(start, start + most)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        gradients = tape.gradient(loss, weights)
    return gradients


@crashed
def loss_outside(weights, x, y, row_losses, most):
    """The tape is closed before the network runs."""
    with tf.GradientTape() as tape:
        part_x, part_y = x[:most], y[:most]
    return tape.gradient(tf.reduce_mean(row_losses(part_x, part_y)), weights)


@wrong("mean_of_means_held")
def mean_held(weights, x, y, row_losses, most):
    """One tape over the mean of the means."""
    count = -(-len(x) // most)
    with tf.GradientTape() as tape:
        loss = 0.0
        for i in range(0, len(x), most):
            loss += tf.reduce_mean(row_losses(x[i : i + most], y[i : i + most]))
        loss = loss / count
    return tape.gradient(loss, weights)


@wrong("mean_of_means")
@changed(by_parts, ("tf.reduce_sum", "tf.reduce_mean"))
def mean_of_means():
    """The mean of the micro-batches' means."""


@wrong("nothing_added")
def names_only(weights, x, y, row_losses, most):
    """Adds to the loop's own name."""
    total = [tf.zeros_like(w) for w in weights]
    for start in range(0, len(x), most):
        part = slice(start, start + most)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        for t, g in zip(total, tape.gradient(loss, weights), strict=True):
            t += g
    return total


@crashed
def nothing(weights, x, y, row_losses, most):
    """No return."""
    for i in range(0, len(x), most):
        row_losses(x[i : i + most], y[i : i + most])


@crashed
def numpy_rows(weights, x, y, row_losses, most):
    """y is not cut."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y))
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total


@crashed
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
def one_tape(weights, x, y, row_losses, most):
    """One tape over all micro-batches."""
    with tf.GradientTape() as tape:
        loss = 0.0
        for i in range(0, len(x), most):
            loss += tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        loss /= len(x)
    return tape.gradient(loss, weights)


@wrong("held_together")
def persistent_kept(weights, x, y, row_losses, most):
    """Persistent tapes in a list are never let go."""
    tapes, total = [], [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
        tapes.append(tape)
    return total


@wrong
def recompute(weights, x, y, row_losses, most):
    """recompute_grad over the whole batch: all of it is computed again."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.recompute_grad(row_losses)(x, y))
    return tape.gradient(loss, weights)


@wrong("first_share_only")
def return_in_loop(weights, x, y, row_losses, most):
    """Returns in the loop."""
    total = [tf.zeros_like(w) for w in weights]
    for start in range(0, len(x), most):
        part = slice(start, start + most)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
        return total


@wrong("one_row_at_a_time")
def row_by_row(weights, x, y, row_losses, most):
    """A call for every row."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(len(x)):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(row_losses(x[i : i + 1], y[i : i + 1]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total


@wrong("sum_of_means_held")
def sum_held(weights, x, y, row_losses, most):
    """One tape over the sum of the means."""
    with tf.GradientTape() as tape:
        loss = 0.0
        for i in range(0, len(x), most):
            loss += tf.reduce_mean(row_losses(x[i : i + most], y[i : i + most]))
    return tape.gradient(loss, weights)


@wrong("sum_of_means")
def sum_of_means(weights, x, y, row_losses, most):
    """The sum of the means."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total


@wrong("last_only")
@changed(sum_of_means, ("t + g", "0 * t + g"))
def last_only():
    """Each gradient replaces the one before."""


@wrong("not_divided")
@changed(sum_of_means, ("tf.reduce_mean", "tf.reduce_sum"))
def not_divided():
    """Never divided."""


@crashed
@changed(sum_of_means, ("return total", "return total[0]"))
def one_number():
    """One gradient for all weights."""


@wrong("number_and_size_swapped")
def swapped(weights, x, y, row_losses, most):
    """`most` as the number of parts."""
    total = [tf.zeros_like(w) for w in weights]
    for ids in np.array_split(np.arange(len(x)), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(tf.gather(x, ids), tf.gather(y, ids)))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total


@wrong("tail_dropped")
def tail_dropped(weights, x, y, row_losses, most):
    """Full micro-batches only."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x) // most * most, most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return [t / (len(x) // most) for t in total]


@wrong("tail_dropped_and_counted")
def tail_dropped_counted(weights, x, y, row_losses, most):
    """Full micro-batches only, divided by all rows."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x) - most + 1, most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total


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


@wrong("computed_twice")
def twice(weights, x, y, row_losses, most):
    """One pass for the loss, one for the gradient."""
    total, error = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, len(x), most):
        error += tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total


@wrong
def up_hill(weights, x, y, row_losses, most):
    """An unknown mistake: the sign."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t - g for t, g in zip(total, gradients, strict=True)]
    return [t / len(x) for t in total]


@wrong("weights_move")
def weights_move(weights, x, y, row_losses, most):
    """The weights are updated after each part."""
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most])) / len(x)
        gradients = tape.gradient(loss, weights)
        for w, g in zip(weights, gradients, strict=True):
            w.assign_sub(LEARNING_RATE * g)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total


@wrong("neighbouring_windows")
def windows(weights, x, y, row_losses, most):
    """Each part starts one row after the one before."""
    total = [tf.zeros_like(w) for w in weights]
    count = -(-len(x) // most)
    for i in range(count):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total
