"""Answers to 10/my_stalled_grads, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, right, wrong


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


@wrong("nothing_broken")
def one_tape(stages, x, y, micro):
    """One tape, sums divided by all rows, added up."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@right
def after_the_gradients_before(stages, x, y, micro):
    """A tape for each; its gradients are made after those before."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        with tf.control_dependencies(total):
            own = tape.gradient(part, weights)
        total = [t + g for t, g in zip(total, own, strict=True)]
        loss += part
    return loss, total


@right
def persistent(stages, x, y, micro):
    """One tape that is asked once for each micro-batch."""
    rows = x.shape[0]
    size, losses, found = -(-rows // micro), [], []
    weights = [stage.w for stage in stages]
    with tf.GradientTape(persistent=True) as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
    for part in losses:
        with tf.control_dependencies(found[-1] if found else []):
            found.append(tape.gradient(part, weights))
    return tf.add_n(losses), [tf.add_n(own) for own in zip(*found, strict=True)]


@right
def upstream_waits(stages, x, y, micro):
    """The gradient that goes into a micro-batch waits for the end of the one before."""
    rows = x.shape[0]
    size, total, loss = -(-rows // micro), None, 0.0
    weights = [stage.w for stage in stages]
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            h = through(stages, x[i : i + size])
            part = tf.reduce_sum(tf.square(h - y[i : i + size])) / rows
        with tf.control_dependencies(total or []):
            one = tf.identity(1.0 + 0.0 * part)
        own = tape.gradient(part, weights, output_gradients=one)
        total = [t + g for t, g in zip(total, own, strict=True)] if total else own
        loss += part
    return loss, total


@right
def need_a_number(stages, x, y, micro):
    """Without a control dependency: zero times the gradient before is added."""
    rows = x.shape[0]
    size, total, loss = -(-rows // micro), None, 0.0
    weights = [stage.w for stage in stages]
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            h = through(stages, x[i : i + size])
            part = tf.reduce_sum(tf.square(h - y[i : i + size])) / rows
        one = tf.ones_like(part)
        for own in total or []:
            one += tf.minimum(tf.reduce_sum(own) ** 2, 0.0)
        own = tape.gradient(part, weights, output_gradients=one)
        total = [t + g for t, g in zip(total, own, strict=True)] if total else own
        loss += part
    return loss, total


@wrong("nothing_broken")
@changed(
    after_the_gradients_before,
    ("with tf.control_dependencies(total):\n    own =", "if True:\n    own ="),
)
def tapes():
    """A tape for each micro-batch, and nothing that waits."""


@wrong("nothing_broken")
@changed(
    persistent,
    ("found[-1] if found else []", "[found[-2][0]] if len(found) > 1 else []"),
)
def two_at_a_time():
    """A micro-batch waits for the one before the one before."""


@wrong("nothing_broken")
@changed(
    after_the_gradients_before, ("dependencies(total)", "dependencies(total[-1:])")
)
def behind_each_other():
    """It waits for the last stage's gradient only: they follow each other closely."""


@wrong("nothing_broken")
def sums_wait(stages, x, y, micro):
    """Only the sums wait for each other: they are not the backward passes."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        own = tape.gradient(part, weights)
        with tf.control_dependencies(total):
            total = [t + g for t, g in zip(total, own, strict=True)]
        loss += part
    return loss, total


@wrong("forward_too")
@changed(
    one_tape,
    (
        "error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])",
        """
        with tf.control_dependencies(losses[-1:]):
            h = through(stages, tf.identity(x[i : i + size]))
        error = tf.square(h - y[i : i + size])
        """,
    ),
)
def forward_in_turn():
    """As the colleague's: each micro-batch waits for the loss of the one before."""


@wrong("forward_too")
@changed(
    after_the_gradients_before,
    ("with tf.Gr", "with tf.control_dependencies(total), tf.Gr"),
    ("x[i : i + size])", "tf.identity(x[i : i + size]))"),
)
def everything_waits():
    """Both directions wait for the gradients before."""


@wrong("gradients_of_last")
@changed(
    after_the_gradients_before,
    ("[t + g for t, g in zip(total, own, strict=True)]", "own"),
)
def last_gradients():
    """Each replaces those before."""


@wrong("whole_batch")
def whole(stages, x, y, micro):
    """No micro-batches."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(through(stages, x) - y))
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong("first_device")
@changed(after_the_gradients_before, ("through(stages, x", "on_first(stages, x"))
def one_device():
    """All stages on the first device."""


def on_first(stages, h):
    for stage in stages:
        with tf.device(stages[0].device):
            h = stage(h)
    return h


@wrong
@changed(one_tape, ("return loss, tape", "return tape"))
def no_loss():
    """The loss is not returned."""
