"""Answers to 02/my_alike_step, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, right, wrong


@right
def gradient_of_replica_0(w, x, y):
    """Send zeros from all other replicas, and add up."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    first = context.replica_id_in_sync_group == 0
    sent = tf.where(first, gradient, tf.zeros_like(gradient))
    gradient = context.all_reduce("SUM", sent)
    w.assign_sub(0.1 * gradient)


@right
def weights_of_replica_0(w, x, y):
    """Each makes its own step; then all take replica 0's weights."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    first = tf.cast(context.replica_id_in_sync_group == 0, tf.float32)
    w.assign(context.all_reduce("SUM", (w - 0.1 * gradient) * first))


@right
def loss_of_replica_0(w, x, y):
    """The loss of all other replicas is multiplied by zero."""
    context = tf.distribute.get_replica_context()
    first = tf.cast(context.replica_id_in_sync_group == 0, tf.float32)
    with tf.GradientTape() as tape:
        loss = first * tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * context.all_reduce("SUM", tape.gradient(loss, w)))


@right
def gathered_gradients(w, x, y):
    """Gather all gradients, and take the first."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    context = tf.distribute.get_replica_context()
    gradients = context.all_gather(tape.gradient(loss, w)[tf.newaxis], axis=0)
    w.assign_sub(0.1 * gradients[0])


def to_all(strategy, gradient, w):
    first = strategy.experimental_local_results(gradient)[0]
    strategy.extended.update(w, lambda v, g: v.assign_sub(0.1 * g), args=(first,))


@right
def merge_call(w, x, y):
    """Give replica 0's gradient to all in the cross-replica context."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    context = tf.distribute.get_replica_context()
    context.merge_call(to_all, args=(tape.gradient(loss, w), w))


@wrong("divided_by_the_replicas")
@changed(gradient_of_replica_0, ('"SUM"', '"MEAN"'))
def mean_of_sent():
    """Average what is sent, zeros included."""


@wrong("times_the_replicas")
@changed(
    gradient_of_replica_0,
    ("0.1 * gradient", "0.1 * context.num_replicas_in_sync * gradient"),
)
def too_long():
    """Multiply by the replicas, as if there were a mean to undo."""


@wrong("last_replica")
@changed(
    gradient_of_replica_0,
    ("_group == 0", "_group == context.num_replicas_in_sync - 1"),
)
def last():
    """Take the last replica's."""


@wrong
@changed(weights_of_replica_0, ("_group == 0", "_group != 0"))
def all_but_first():
    """Add up the weights of all replicas but the first."""


@wrong("without_replica_0")
@changed(
    gradient_of_replica_0,
    ("_group == 0", "_group != 0"),
    ('"SUM"', '"MEAN"'),
)
def others():
    """Leave replica 0 out."""


@wrong("nothing_broken")
@changed(loss_of_replica_0, ("first * ", ""), ('"SUM"', '"MEAN"'))
def still_right():
    """Remove what is not used, and keep the step right."""


@wrong("sum_of_means")
@changed(loss_of_replica_0, ("first * ", ""))
def summed():
    """Add the mean gradients up."""


@wrong("own_rows")
def no_reduce(w, x, y):
    """Leave the all-reduce out."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@wrong("only_replica_0_moves")
@changed(
    gradient_of_replica_0,
    ('gradient = context.all_reduce("SUM", sent)', ""),
    ("0.1 * gradient", "0.1 * sent"),
)
def others_stand_still():
    """Only replica 0 applies its gradient."""


@wrong("equal_before_the_step")
def weights_first(w, x, y):
    """Take replica 0's weights, and then follow the own rows."""
    context = tf.distribute.get_replica_context()
    first = tf.cast(context.replica_id_in_sync_group == 0, tf.float32)
    w.assign(context.all_reduce("SUM", w.read_value() * first))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@wrong("no_update")
@changed(gradient_of_replica_0, ("w.assign_sub(0.1 * gradient)", "w - 0.1 * gradient"))
def not_assigned():
    """Compute the new weights, and keep the old ones."""
