"""Wrong answers to 12/my_hidden_peak: names are codes, docstrings causes."""

from __future__ import annotations

import tensorflow as tf

from course.checks.exercises import wrong_answers


def _parts(x, most):
    return [slice(start, start + most) for start in range(0, len(x), most)]


def _tape(x, y, row_losses, part):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
    return tape, loss


def _added(gradients):
    return [tf.add_n(each) for each in zip(*gradients, strict=True)]


def nothing_broken(weights, x, y, row_losses, most):
    """Nothing is held from one micro-batch to the next. A loss or a gradient holds its
    own numbers only. A tape frees the activations once it has given its gradient, or,
    if it is persistent, once no name and no list leads to it.
    """
    found = []
    for part in _parts(x, most):
        tape, loss = _tape(x, y, row_losses, part)
        found.append(tape.gradient(loss, weights))
        del tape
    return _added(found)


def two_at_a_time(weights, x, y, row_losses, most):
    """The activations of a micro-batch stay alive while the next one goes forward, and
    then they are freed. Those of ALL must be alive at one moment.
    """
    found, before = [], None
    for part in _parts(x, most):
        now = _tape(x, y, row_losses, part)
        if before is not None:
            found.append(before[0].gradient(before[1], weights))
        before = now
    found.append(before[0].gradient(before[1], weights))
    return _added(found)


def all_in_one_call(weights, x, y, row_losses, most):
    """All rows go through the network in one call, and the log of calls shows that."""
    tape, loss = _tape(x, y, row_losses, slice(None))
    return tape.gradient(loss, weights)


def held_after_the_step(weights, x, y, row_losses, most):
    """Something that outlives the function, such as a global list, holds the
    activations, so a monitor sees them. Keep them in a local name.
    """
    held, found = [], []
    for part in _parts(x, most):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        found.append(tape.gradient(loss, weights))
        held.append(tape)
    held_after_the_step.held = held
    return _added(found)


def one_tape_of_means(weights, x, y, row_losses, most):
    """All activations are alive at once. But each micro-batch counts the same, although
    the last one has fewer rows. The gradients must stay right.
    """
    with tf.GradientTape() as tape:
        means = [tf.reduce_mean(row_losses(x[p], y[p])) for p in _parts(x, most)]
        loss = sum(means) / len(means)
    return tape.gradient(loss, weights)


def one_tape_not_divided(weights, x, y, row_losses, most):
    """All activations are alive at once. But the sum is never divided by the number of
    all rows.
    """
    with tf.GradientTape() as tape:
        loss = sum(tf.reduce_sum(row_losses(x[p], y[p])) for p in _parts(x, most))
    return tape.gradient(loss, weights)


MISTAKES = wrong_answers(__name__)
