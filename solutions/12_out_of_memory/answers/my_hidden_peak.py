"""Answers to 12/my_hidden_peak, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, right, wrong


@right
def one_tape(weights, x, y, row_losses, most):
    """One tape around the loop."""
    with tf.GradientTape() as tape:
        loss = 0.0
        for i in range(0, len(x), most):
            loss += tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        loss /= len(x)
    return tape.gradient(loss, weights)


@right
def persistent_tapes_kept(weights, x, y, row_losses, most):
    """A tape for each micro-batch, in a list."""
    total, kept = [tf.zeros_like(w) for w in weights], []
    for i in range(0, len(x), most):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
        kept.append(tape)
    return total


@right
def gradients_at_the_end(weights, x, y, row_losses, most):
    """All go forward first, and then all go back."""
    tapes = []
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        tapes.append((tape, loss))
    total = [tf.zeros_like(w) for w in weights]
    for tape, loss in tapes:
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total


@right
def asked_inside(weights, x, y, row_losses, most):
    """One persistent tape, which records its own gradients, too."""
    total = [tf.zeros_like(w) for w in weights]
    with tf.GradientTape(persistent=True) as tape:
        for i in range(0, len(x), most):
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
            gradients = tape.gradient(loss, weights)
            total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total


@right
def outer_tape(weights, x, y, row_losses, most):
    """The right step in a second tape, which gives no gradient."""
    total = [tf.zeros_like(w) for w in weights]
    with tf.GradientTape():
        for i in range(0, len(x), most):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
            gradients = tape.gradient(loss, weights)
            total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total


@wrong("nothing_broken")
@changed(persistent_tapes_kept, ("persistent=True", ""))
def tapes_kept():
    """The tapes in a list, but they are not persistent."""


@wrong("nothing_broken")
@changed(persistent_tapes_kept, ("kept.append(tape)", "del tape"))
def persistent_not_kept():
    """Persistent tapes, each freed before the next one."""


@wrong("nothing_broken")
def losses_kept(weights, x, y, row_losses, most):
    """A list of losses, as for a log."""
    total, kept = [tf.zeros_like(w) for w in weights], []
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
        kept.append((loss, gradients))
    return total


@wrong("all_in_one_call")
def a_single_call(weights, x, y, row_losses, most):
    """The whole batch at once."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(row_losses(x, y))
    return tape.gradient(loss, weights)


@wrong("one_tape_not_divided")
@changed(one_tape, ("loss /= len(x)", "loss /= 1"))
def never_divided():
    """The sum of all."""


@wrong
def computed_twice(weights, x, y, row_losses, most):
    """Forward without a tape first, then in one tape."""
    for i in range(0, len(x), most):
        row_losses(x[i : i + most], y[i : i + most])
    with tf.GradientTape() as tape:
        loss = 0.0
        for i in range(0, len(x), most):
            loss += tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        loss /= len(x)
    return tape.gradient(loss, weights)


@wrong("held_after_the_step")
def global_list(weights, x, y, row_losses, most):
    """A list that outlives the function."""
    total, tf.kept_tapes = [tf.zeros_like(w) for w in weights], []
    for i in range(0, len(x), most):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
        tf.kept_tapes.append(tape)
    return total


@wrong
def nothing(weights, x, y, row_losses, most):
    """No gradients."""
    return None
