"""Answers to 07/my_lopsided, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, right, wrong
from course import mirrored


def context():
    return tf.distribute.get_replica_context()


def hand_out(strategy, tensor, sizes):
    """Cut a tensor into shares of these sizes, one for each replica."""
    shares = tf.split(tensor, sizes)
    return strategy.experimental_distribute_values_from_function(
        lambda context: shares[context.replica_id_in_sync_group]
    )


@right
def weighted_in_the_replica(devices, batches):
    """Each gradient by its part of the batch, added up."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y, rows):
        gradient = gradient_of(w, x, y) * (len(x) / rows)
        w.assign_sub(0.1 * context().all_reduce("SUM", gradient))

    step = tf.function(lambda *args: strategy.run(replica_step, args=args))
    for x, y in batches:
        sizes = [len(x) - 3 * (len(devices) - 1), *[3] * (len(devices) - 1)]
        step(hand_out(strategy, x, sizes), hand_out(strategy, y, sizes), len(x))
    return w


@right
def counts_all_reduced(devices, batches):
    """Sums and counts are both all-reduced, and divided afterwards."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        rows = tf.cast(tf.shape(x)[0], tf.float32)
        pair = context().all_reduce("SUM", [rows * gradient_of(w, x, y), rows])
        w.assign_sub(0.1 * pair[0] / pair[1])

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        sizes = [3] * len(devices)
        sizes[0] = len(x) - 3 * (len(devices) - 1)
        step(hand_out(strategy, x, sizes), hand_out(strategy, y, sizes))
    return w


@right
def weights_handed_out(devices, batches):
    """What a share counts is handed out as well; MEAN, so times the replicas."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y, weight):
        gradient = weight[0] * gradient_of(w, x, y)
        w.assign_sub(0.1 * context().all_reduce("MEAN", gradient))

    step = tf.function(lambda *args: strategy.run(replica_step, args=args))
    n = len(devices)
    for x, y in batches:
        sizes = [len(x) - 3 * n + 3] + [3] * (n - 1)
        weights = tf.constant([n * size / len(x) for size in sizes])
        step(
            hand_out(strategy, x, sizes),
            hand_out(strategy, y, sizes),
            hand_out(strategy, weights, n),
        )
    return w


@right
def loop_over_devices(devices, batches):
    """No strategy: a share under each device, one copy of the weights."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        sizes = [len(x) - 3 * (len(devices) - 1), *[3] * (len(devices) - 1)]
        parts = zip(devices, tf.split(x, sizes), tf.split(y, sizes), strict=True)
        gradients = []
        for device, own_x, own_y in parts:
            with tf.device(device):
                gradients.append(len(own_x) * gradient_of(w, own_x, own_y))
        w.assign_sub(0.1 * tf.add_n(gradients) / len(x))
    return w


@wrong("nothing_broken")
def distributed_dataset(devices, batches):
    """Another right training."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    @tf.function
    def step(batch):
        def replica_step(x, y):
            w.assign_sub(0.1 * context().all_reduce("MEAN", gradient_of(w, x, y)))

        strategy.run(replica_step, args=batch)

    for batch in strategy.experimental_distribute_dataset(batches):
        step(batch)
    return w


@wrong("means_averaged")
@changed(weighted_in_the_replica, (" * (len(x) / rows)", ""), ('"SUM"', '"MEAN"'))
def sizes_only():
    """Only the sizes are changed."""


@wrong("means_added")
@changed(weighted_in_the_replica, (" * (len(x) / rows)", ""))
def added():
    """The means are added up."""


@wrong
@changed(weighted_in_the_replica, ('"SUM"', '"MEAN"'))
def divided_twice():
    """The weighted gradients are averaged, too."""


@wrong("first_counts_alone")
@changed(
    weighted_in_the_replica,
    ("(len(x) / rows)", "float(len(x) > 3)"),
)
def others_count_nothing():
    """The other rows are multiplied, and have no weight."""


@wrong("whole_batch_everywhere")
def all_rows_each(devices, batches):
    """Every replica multiplies all rows."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        w.assign_sub(0.1 * context().all_reduce("MEAN", gradient_of(w, x, y)))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w


@wrong("whole_batch_summed")
@changed(all_rows_each, ('"MEAN"', '"SUM"'))
def all_rows_each_summed():
    """The same, added up."""


@wrong("last_has_most")
@changed(
    weighted_in_the_replica,
    ("        step(hand", "        sizes = sizes[::-1]\n        step(hand"),
)
def the_last_one():
    """The last replica takes what replica 0 should."""


@wrong("all_on_the_first")
def one_replica(devices, batches):
    """One device, all rows."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        with tf.device(devices[0]):
            gradient = gradient_of(w, x, y)
        w.assign_sub(0.1 * gradient)
    return w


@wrong("shares_on_the_first")
@changed(
    distributed_dataset,
    (
        "            w.assign_sub(0.1 * context().all_reduce("
        '"MEAN", gradient_of(w, x, y)))',
        "            with tf.device(devices[0]):\n"
        "                gradient = gradient_of(w, x, y)\n"
        '            gradient = context().all_reduce("MEAN", gradient)\n'
        "            w.assign_sub(0.1 * gradient)",
    ),
)
def pinned():
    """The even shares are all computed on devices[0]."""


@wrong("no_update")
@changed(weighted_in_the_replica, ("w.assign_sub(0.1 * ", "(0.1 * "))
def nothing_applied():
    """The gradient is combined, and dropped."""


def in_parts_of_8(w, x, y):
    """The mean gradient of many rows, a part at a time."""
    parts = [slice(i, i + 8) for i in range(0, x.shape[0], 8)]
    sums = [x[part].shape[0] * gradient_of(w, x[part], y[part]) for part in parts]
    return tf.add_n(sums) / x.shape[0]


@wrong
@changed(
    weighted_in_the_replica,
    ("gradient_of(w, x, y)", "in_parts_of_8(w, x, y)"),
)
def in_parts():
    """The large share is multiplied in several parts: the probe would tell."""


@wrong
@changed(weighted_in_the_replica, ("[3]", "[2]"), ("- 3 *", "- 2 *"))
def two_rows():
    """The others have two rows each."""
