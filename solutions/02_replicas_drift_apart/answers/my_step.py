"""Answers to 02/my_step, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import crashed, right, wrong
from course import mirrored


@right
def all_reduce(w, x, y):
    """Average the gradients with all_reduce, then apply."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    gradient = context.all_reduce("MEAN", gradient)
    w.assign_sub(0.1 * gradient)


@right
def average_weights(w, x, y):
    """Apply the own gradient, then average the weights: the same under SGD."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    moved = w - 0.1 * gradient
    w.assign(context.all_reduce("MEAN", moved))


@right
def by_hand(w, x, y):
    """The gradient as a formula, without a tape."""
    error = tf.linalg.matvec(x, w) - y
    gradient = 2 * tf.linalg.matvec(x, error, transpose_a=True)
    gradient /= tf.cast(len(y), tf.float32)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))


def apply_everywhere(strategy, gradient, w):
    mean = strategy.extended.reduce_to("MEAN", gradient, destinations=w)
    strategy.extended.update(w, lambda v, g: v.assign_sub(0.1 * g), args=(mean,))


@right
def merge_call(w, x, y):
    """Reduce and update by hand in the cross-replica context."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    context.merge_call(apply_everywhere, args=(gradient, w))


@right
def scaled_loss(w, x, y):
    """Scale the loss by the replicas, then add the gradients."""
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        error = tf.linalg.matvec(x, w) - y
        loss = tf.reduce_mean(error * error) / context.num_replicas_in_sync
    gradient = context.all_reduce("SUM", tape.gradient(loss, w))
    w.assign(w - 0.1 * gradient)


@right
def sum_divided(w, x, y):
    """Add the mean gradients up and divide by the replicas."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    total = context.all_reduce(tf.distribute.ReduceOp.SUM, gradient)
    w.assign_sub(0.1 * total / context.num_replicas_in_sync)


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


@wrong("applied_twice")
def applied_twice(w, x, y):
    """Add the mean gradient's step to the replica's own step."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * gradient)
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))


@wrong("averaged_before_the_step")
def averaged_first(w, x, y):
    """Average the weights, then apply the own gradient."""
    context = tf.distribute.get_replica_context()
    w.assign(context.all_reduce("MEAN", w.read_value()))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@wrong("divided_not_reduced")
def divided_only(w, x, y):
    """Divide by the replicas, but never add up."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * gradient / context.num_replicas_in_sync)


@wrong("divided_twice")
def divided_twice(w, x, y):
    """Average, and divide by the replicas once more."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    gradient = context.all_reduce("MEAN", gradient)
    w.assign_sub(0.1 * gradient / context.num_replicas_in_sync)


@wrong("divided_by_eight_rows")
def eight_rows(w, x, y):
    """Divides by 8."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient) / 8)


@crashed
def endless(w, x, y):
    """A loop that never ends."""
    while True:
        pass


@wrong("fixed_number_of_replicas")
def fixed_count(w, x, y):
    """Divide the sum by 4, whatever the number of replicas."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient) / 4)


@wrong("gathered_all_rows")
def gather(w, x, y):
    """Gather all rows everywhere: right weights, no work shared."""
    context = tf.distribute.get_replica_context()
    x, y = context.all_gather(x, axis=0), context.all_gather(y, axis=0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@crashed
def loss_after_tape(w, x, y):
    """Reduce the loss after the tape has closed: there is no gradient then."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    loss = tf.distribute.get_replica_context().all_reduce("MEAN", loss)
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)


@wrong("no_all_reduce")
def loss_reduced_for_show(w, x, y):
    """Reduce the loss, outside the tape: nothing changes."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    loss = context.all_reduce("MEAN", loss)
    tf.debugging.assert_all_finite(loss, "the loss is not finite")
    w.assign_sub(0.1 * gradient)


@wrong("loss_not_gradient")
def loss_reduced_in_tape(w, x, y):
    """Reduce the loss inside the tape, not the gradient."""
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        loss = context.all_reduce("SUM", loss)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@wrong("mean_of_sums")
def mean_of_sums(w, x, y):
    """Sums, averaged over the replicas."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))


@wrong("means_divided_by_rows")
def means_by_rows(w, x, y):
    """Divide the sum of the replicas' means by the batch size of the figure."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient) / 8)


@wrong("no_update")
def no_update(w, x, y):
    """Reduce the gradient, and never apply it."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    context.all_reduce("MEAN", gradient)


@wrong("loss_not_gradient")
def own_times_replicas(w, x, y):
    """The own gradient times the number of replicas."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.num_replicas_in_sync * gradient)


@crashed
def raises(w, x, y):
    """Ask the tape for a gradient it did not watch."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w.numpy()) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@wrong("replica_0_only")
def replica_0(w, x, y):
    """All follow the gradient of replica 0."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    first = tf.cast(context.replica_id_in_sync_group == 0, tf.float32)
    gradient = context.all_reduce("SUM", first * gradient)
    w.assign_sub(0.1 * gradient)


@wrong("no_all_reduce")
def result_unused(w, x, y):
    """Combine the gradients, and apply the own one."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    tf.distribute.get_replica_context().all_reduce("MEAN", gradient)
    w.assign_sub(0.1 * gradient)


@crashed
def strategy_inside(w, x, y):
    """Open another strategy's scope inside the step."""
    with mirrored(["CPU:0", "CPU:1"]).scope():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))


@wrong("sum_of_means")
def step_sum(w, x, y):
    """Add the mean gradients up, and forget to divide."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient))


@crashed
def swapped_arguments(w, x, y):
    """The value first, then the operation: TensorFlow's own words do not help."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce(gradient, "MEAN"))


@wrong
def unknown_mistake(w, x, y):
    """A step of twice the size: no known mistake on 3 replicas."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(2 * 0.1 * context.all_reduce("MEAN", gradient))


@wrong("wrong_direction")
def uphill(w, x, y):
    """Add the gradient instead of subtracting it."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_add(0.1 * context.all_reduce("MEAN", gradient))


@wrong("weights_added_up")
def weights_added(w, x, y):
    """Adds the weights up."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * gradient)
    w.assign(context.all_reduce("SUM", w.read_value()))


@wrong("first_replica_applies")
def as_chief(w, x, y):
    """Let the first replica apply the mean gradient, as if for all."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    gradient = context.all_reduce("MEAN", gradient)
    if context.replica_id_in_sync_group == 0:
        w.assign_sub(0.1 * gradient)


def in_one_place(strategy, x, y, w):
    local = strategy.experimental_local_results
    x, y, v = tf.concat(local(x), 0), tf.concat(local(y), 0), local(w)[0]
    with tf.GradientTape() as tape:
        tape.watch(v)
        loss = tf.reduce_mean((tf.linalg.matvec(x, v) - y) ** 2)
    gradient = tape.gradient(loss, v)
    strategy.extended.update(w, lambda v, g: v.assign_sub(0.1 * g), args=(gradient,))


@wrong("gathered_all_rows")
def merged_rows(w, x, y):
    """Join all rows in the cross-replica context, and compute there."""
    tf.distribute.get_replica_context().merge_call(in_one_place, args=(x, y, w))


def one_after_another(strategy, x, y, w):
    local = strategy.experimental_local_results
    gradients = []
    for own_x, own_y in zip(local(x), local(y), strict=True):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(own_x, local(w)[0]) - own_y) ** 2)
        gradients.append(tape.gradient(loss, local(w)[0]))
    mean = tf.add_n(gradients) / len(gradients)
    strategy.extended.update(w, lambda v, g: v.assign_sub(0.1 * g), args=(mean,))


@wrong("gathered_all_rows")
def merged_shards(w, x, y):
    """Go through all shards in one place."""
    tf.distribute.get_replica_context().merge_call(one_after_another, args=(x, y, w))


@right
def jacobian(w, x, y):
    """The gradient of each own row, then their mean."""
    with tf.GradientTape() as tape:
        errors = (tf.linalg.matvec(x, w) - y) ** 2
    gradient = tf.reduce_mean(tape.jacobian(errors, w), axis=0)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))


@right
def rows_one_by_one(w, x, y):
    """A loop over the own rows in the graph."""

    def one(row):
        return 2 * (tf.tensordot(row[:2], w, 1) - row[2]) * row[:2]

    each = tf.map_fn(one, tf.concat([x, y[:, None]], axis=1))
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("MEAN", tf.reduce_mean(each, axis=0)))


@right
def normal_equations(w, x, y):
    """Send what belongs to the weights: x'x and x'y, packed."""
    rows = tf.concat([x, y[:, None]], axis=1)
    sums = tf.linalg.matmul(rows, rows, transpose_a=True) / tf.cast(len(y), tf.float32)
    sums = tf.distribute.get_replica_context().all_reduce("MEAN", sums)
    w.assign_sub(0.2 * (tf.linalg.matvec(sums[:2, :2], w) - sums[:2, 2]))


@wrong("sum_of_means")
def sum_over_mean_rows(w, x, y):
    """Add up the gradients of summed errors, and average the numbers of rows."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = context.all_reduce("MEAN", tf.cast(tf.shape(y)[0], tf.float32))
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient) / rows)
