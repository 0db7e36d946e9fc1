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
    """Nothing is held from one micro-batch to the next. A list of losses or gradients
    does not do it, as such a tensor is its own numbers only: it is a tape that holds
    activations.
    """
    found = []
    for part in _parts(x, most):
        tape, loss = _tape(x, y, row_losses, part)
        found.append(tape.gradient(loss, weights))
        del tape
    return _added(found)


def two_at_a_time(weights, x, y, row_losses, most):
    """A micro-batch's activations live on while the next one goes forward, and are let
    go then. All of them must live together once.
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
    """All rows go through the network in one call: the log of micro-batches would show
    it.
    """
    tape, loss = _tape(x, y, row_losses, slice(None))
    return tape.gradient(loss, weights)


def held_after_the_step(weights, x, y, row_losses, most):
    """Something that outlives the function, such as a global list, holds the
    activations. A monitor sees that. Let them end with the function.
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
    """All activations are alive at once, as asked; but each micro-batch counts the
    same, although the last one has fewer rows. The gradients must stay right.
    """
    with tf.GradientTape() as tape:
        means = [tf.reduce_mean(row_losses(x[p], y[p])) for p in _parts(x, most)]
        loss = sum(means) / len(means)
    return tape.gradient(loss, weights)


def one_tape_not_divided(weights, x, y, row_losses, most):
    """All activations are alive at once, as asked; but the sum is never divided by the
    number of all rows.
    """
    with tf.GradientTape() as tape:
        loss = sum(tf.reduce_sum(row_losses(x[p], y[p])) for p in _parts(x, most))
    return tape.gradient(loss, weights)


MISTAKES = wrong_answers(__name__)
