"""Answers to 02/my_uneven_step, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import crashed, right, wrong


@right
def count_in_loss(w, x, y):
    """Divide the loss by the rows of all replicas, then add."""
    context = tf.distribute.get_replica_context()
    rows = context.all_reduce("SUM", tf.cast(tf.shape(y)[0], tf.float32))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / rows
    w.assign_sub(0.1 * context.all_reduce("SUM", tape.gradient(loss, w)))


def apply_everywhere(strategy, total, rows, w):
    total = strategy.extended.reduce_to("SUM", total, destinations=w)
    rows = strategy.extended.reduce_to("SUM", rows, destinations=w)
    strategy.extended.update(
        w, lambda v, g, n: v.assign_sub(0.1 * g / n), args=(total, rows)
    )


@right
def merge_call(w, x, y):
    """Reduce and update by hand in the cross-replica context."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    total, rows = tape.gradient(loss, w), tf.cast(tf.shape(y)[0], tf.float32)
    context = tf.distribute.get_replica_context()
    context.merge_call(apply_everywhere, args=(total, rows, w))


@right
def sums_and_counts(w, x, y):
    """Add up gradient sums and row counts, then divide."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(0.1 * total / rows)


@right
def weighted_means(w, x, y):
    """Weight each mean by its share of the rows."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    share = rows / context.all_reduce("SUM", rows)
    w.assign_sub(0.1 * context.all_reduce("SUM", share * gradient))


@wrong("mean_of_means")
def average_weights(w, x, y):
    """Apply the own gradient, then average the weights."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign(context.all_reduce("MEAN", w - 0.1 * gradient))


@wrong("constant_divisor")
def constant_divisor(w, x, y):
    """Always divide by the full batch size."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient) / 8)


@wrong("divided_twice")
def divided_twice(w, x, y):
    """Divide by all rows, and then by the replicas."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(0.1 * total / rows / context.num_replicas_in_sync)


@wrong("gathered_all_rows")
def gather(w, x, y):
    """Gather all rows everywhere: right weights, no work shared."""
    context = tf.distribute.get_replica_context()
    x, y = context.all_gather(x, axis=0), context.all_gather(y, axis=0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@crashed
def integer_count(w, x, y):
    """Reduce an integer count beside a float gradient."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, tf.shape(x)[0]])
    w.assign_sub(0.1 * gradient / tf.cast(count, tf.float32))


@wrong("sum_of_means_and_nan")
def local_count(w, x, y):
    """Divide by the replica's own count before the sum: 0 / 0 where it is empty."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    count = tf.cast(tf.shape(x)[0], tf.float32)
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient / count))


@wrong("mean_of_means_and_nan")
def local_count_mean(w, x, y):
    """The mean of the replicas' own means: 0 / 0 where a replica is empty."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    count = tf.cast(tf.shape(x)[0], tf.float32)
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient / count))


@wrong("loss_not_gradient")
def loss_reduced(w, x, y):
    """Reduce the loss inside the tape, not the gradient."""
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        loss = context.all_reduce("SUM", loss)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@wrong("mean_of_means")
def mean_of_means(w, x, y):
    """The answer to the core exercise."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))
    return gradient


@wrong("mean_of_sums")
def mean_of_sums(w, x, y):
    """Sums, averaged over the replicas."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))


@wrong("means_over_rows")
def means_over_rows(w, x, y):
    """Mean gradients, divided by all rows."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    count = tf.cast(tf.shape(x)[0], tf.float32)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * gradient / count)


@wrong("no_all_reduce")
def no_all_reduce(w, x, y):
    """Each replica applies its own gradient."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)


@wrong("mean_of_nonempty_means")
def nonempty_means(w, x, y):
    """Leave empty replicas out, but do not weight the others."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    present = tf.cast(tf.shape(y)[0] > 0, tf.float32)
    total, present = context.all_reduce("SUM", [present * gradient, present])
    w.assign_sub(0.1 * total / present)


@wrong("own_sum_over_all_rows")
def own_over_all(w, x, y):
    """Add the rows up over the replicas, but not the gradient."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    w.assign_sub(0.1 * gradient / context.all_reduce("SUM", rows))


@wrong("sum_over_own_rows")
def own_rows(w, x, y):
    """Add up the gradients, and divide by the own number of rows."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    count = tf.cast(tf.shape(x)[0], tf.float32)
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient) / count)


@wrong("replica_0_only")
def replica_0(w, x, y):
    """All follow the gradient of replica 0."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    first = tf.cast(context.replica_id_in_sync_group == 0, tf.float32)
    w.assign_sub(0.1 * context.all_reduce("SUM", first * gradient))


@wrong("sum_of_means")
def sum_of_means(w, x, y):
    """Add the means up, and forget to divide."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient))


@wrong("times_replicas")
def summed_again(w, x, y):
    """Reduce rightly, then add up over the replicas again."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(0.1 * context.all_reduce("SUM", total / rows))


@wrong("no_update")
def new_name(w, x, y):
    """Bind the result to the name w, which changes no variable."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w = w - 0.1 * total / rows


@wrong("times_replicas")
def sum_over_mean_rows(w, x, y):
    """Add up the gradients, and average the numbers of rows."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    context = tf.distribute.get_replica_context()
    gradient = context.all_reduce("SUM", tape.gradient(loss, w))
    rows = context.all_reduce("MEAN", tf.cast(tf.shape(y)[0], tf.float32))
    w.assign_sub(0.1 * gradient / rows)


@right
def mean_over_mean(w, x, y):
    """Both averaged: the number of replicas cancels out."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    context = tf.distribute.get_replica_context()
    gradient, rows = context.all_reduce("MEAN", [tape.gradient(loss, w), rows])
    w.assign_sub(0.1 * gradient / rows)


@right
def jacobian(w, x, y):
    """The gradient of each own row, added up."""
    with tf.GradientTape() as tape:
        errors = (tf.linalg.matvec(x, w) - y) ** 2
    gradient = tf.reduce_sum(tape.jacobian(errors, w), axis=0)
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    sums = tf.concat([gradient, [rows]], axis=0)
    sums = tf.distribute.get_replica_context().all_reduce("SUM", sums)
    w.assign_sub(0.1 * sums[:2] / sums[2])
