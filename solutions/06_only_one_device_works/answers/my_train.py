"""Answers to 06/my_train, right and wrong, and what the check says of each."""

import threading

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong
from course import mirrored


@right
def function_inside(devices, batches):
    """tf.function inside run, not around it."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    inner = tf.function(replica_step)
    for x, y in strategy.experimental_distribute_dataset(batches):
        strategy.run(inner, args=(x, y))
    return w


@right
def train_loop(devices, batches):
    """No strategy: a loop over the devices, one variable."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        gradients = []
        parts = zip(
            devices, tf.split(x, len(devices)), tf.split(y, len(devices)), strict=True
        )
        for device, own_x, own_y in parts:
            with tf.device(device):
                gradients.append(gradient_of(w, own_x, own_y))
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / len(devices))
    return w


@right
def loop_copies(devices, batches):
    """A loop in a graph, and a variable on each device."""
    copies = []
    for device in devices:
        with tf.device(device):
            copies.append(tf.Variable([0.0, 0.0]))

    @tf.function
    def step(x, y):
        n, gradients = len(devices), []
        for i, (own_x, own_y) in enumerate(
            zip(tf.split(x, n), tf.split(y, n), strict=True)
        ):
            with tf.device(devices[i]):
                gradients.append(gradient_of(copies[i], own_x, own_y))
        mean = tf.add_n(gradients) / n
        for copy in copies:
            copy.assign_sub(LEARNING_RATE * mean)

    for x, y in batches:
        step(x, y)
    return copies


@right
def own_tape(devices, batches):
    """A tape of its own, with w itself."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        gradient = tape.gradient(loss, w)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@right
def reduce(devices, batches):
    """The replicas return gradients; the mean is applied in the scope."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
    for x, y in strategy.experimental_distribute_dataset(batches):
        each = strategy.run(gradient_of, args=(w, x, y))
        mean = strategy.reduce("MEAN", each, axis=None)
        with strategy.scope():
            w.assign_sub(LEARNING_RATE * mean)
    return w


@right
def run(devices, batches):
    """One function for a replica, called by strategy.run in a graph."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@right
@changed(
    run,
    (
        "step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))",
        """
        def step(x, y):
            strategy.run(replica_step, args=(x, y))

        """,
    ),
)
def eager():
    """The same without tf.function: slower, but all devices work."""


@right
@changed(
    run,
    (
        "gradient = gradient_of(w, x, y)",
        """
        half = x.shape[0] // 2
        first = gradient_of(w, x[:half], y[:half])
        gradient = (first + gradient_of(w, x[half:], y[half:])) / 2
        """,
    ),
)
def in_halves():
    """The own share in two halves: the same rows, once each."""


@right
@changed(run, ("mirrored(devices)", "tf.distribute.MirroredStrategy(devices)"))
def plain_strategy():
    """TensorFlow's own class, with its default reduction."""


@right
@changed(run, ("mirrored(devices)", "mirrored(devices[::-1])"))
def train_reversed():
    """The devices in another order."""


@right
def keras_variable(devices, batches):
    """A Keras variable of shape (2, 1)."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.keras.Variable([[0.0], [0.0]])

    def replica_step(x, y):
        gradient = gradient_of(tf.reshape(w, [2]), x, y)
        context = tf.distribute.get_replica_context()
        mean = context.all_reduce("MEAN", gradient)
        w.value.assign_sub(LEARNING_RATE * tf.reshape(mean, [2, 1]))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@right
def train_sum(devices, batches):
    """SUM, divided by the number of replicas; the copies are returned."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        total = context.all_reduce("SUM", gradient)
        w.assign_sub(LEARNING_RATE * total / context.num_replicas_in_sync)

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return list(strategy.experimental_local_results(w))


@wrong("all_devices")
@changed(run, ("mirrored(devices)", "tf.distribute.MirroredStrategy()"))
def all_devices():
    """MirroredStrategy() without a list."""


@wrong("all_shares_everywhere")
def all_shares(devices, batches):
    """Plain batches: every replica computes all shares, one by one."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        n = len(devices)
        parts = zip(tf.split(x, n), tf.split(y, n), strict=True)
        gradient = tf.add_n([gradient_of(w, *part) for part in parts]) / n
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w


@wrong("one_share_only")
def all_take_the_first(devices, batches):
    """Plain batches: every replica takes the first share."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        share = x.shape[0] // len(devices)
        gradient = gradient_of(w, x[:share], y[:share])
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w


@crashed
def context_outside(devices, batches):
    """Ask for the replica context outside of run."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    for x, y in batches:
        with strategy.scope():
            replica_step(x, y)
    return w


@crashed
@changed(
    run,
    (
        "gradient = gradient_of(w, x, y)",
        """
        me = tf.distribute.get_replica_context().replica_id_in_sync_group
        with tf.device(devices[me]):
            gradient = gradient_of(w, x, y)
        """,
    ),
)
def device_of_the_id():
    """devices[r] with a tensor r."""


@crashed
@changed(run, ("mirrored(devices)", "mirrored([devices[0]] * len(devices))"))
def device_twice():
    """The same device twice."""


@wrong("no_run")
def distributed_data_only(devices, batches):
    """Distribute the dataset, take the shares together again, no run."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in strategy.experimental_distribute_dataset(batches):
            x = tf.concat(strategy.experimental_local_results(x), axis=0)
            y = tf.concat(strategy.experimental_local_results(y), axis=0)
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
    return w


@wrong("divided_twice")
@changed(
    train_sum,
    ('context.all_reduce("SUM", gradient)', 'context.all_reduce("MEAN", gradient)'),
    ("return list(strategy.experimental_local_results(w))", "return w"),
)
def divided_twice():
    """MEAN, and divided again."""


@crashed
def endless(devices, batches):
    """A loop that never ends."""
    w = [0.0, 0.0]
    while True:
        w = [w[0] + 1.0, w[1]]
    return w


@wrong("first_batch_only")
@changed(
    run,
    (
        "strategy.experimental_distribute_dataset(batches)",
        "strategy.experimental_distribute_dataset(batches.take(1))",
    ),
)
def first_batch():
    """Only the first batch."""


@wrong("one_share_only")
def first_result(devices, batches):
    """Of the replicas' gradients, the first is applied."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in strategy.experimental_distribute_dataset(batches):
            each = strategy.run(gradient_of, args=(w, x, y))
            first = strategy.experimental_local_results(each)[0]
            w.assign_sub(LEARNING_RATE * first)
    return w


@wrong("forward_on_the_first")
@changed(
    own_tape,
    (
        "with tf.GradientTape() as tape:",
        'with tf.GradientTape() as tape, tf.device("CPU:0"):',
    ),
)
def forward_pinned():
    """Only the loss is pinned."""


@wrong("all_devices")
@changed(run, ("mirrored(devices)", 'mirrored(["CPU:0", "CPU:1", "CPU:2", "CPU:3"])'))
def four_by_hand():
    """A list of devices of its own."""


@wrong("whole_batch_everywhere")
def gathered(devices, batches):
    """Each replica gathers the whole batch."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        context = tf.distribute.get_replica_context()
        x, y = context.all_gather(x, axis=0), context.all_gather(y, axis=0)
        w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@wrong("ghost_devices")
@changed(
    run,
    (
        "strategy = mirrored(devices)",
        """
        names = [f"GPU:{i + 4}" for i in range(len(devices))]
        strategy = tf.distribute.MirroredStrategy(names)
        """,
    ),
)
def ghosts():
    """Devices that do not exist, as many as asked for."""


@wrong("no_run")
def graph_in_scope(devices, batches):
    """A tf.function in the scope, but no strategy.run."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

        @tf.function
        def step(x, y):
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))

        for x, y in batches:
            step(x, y)
    return w


@crashed
@changed(run, ("return w", "return None"))
def keras_like_return():
    """Forget to return w."""


@wrong("larger_batches")
@changed(
    run,
    (
        "for x, y in strategy.experimental_distribute_dataset(batches):",
        """
        size = batches.element_spec[0].shape[0] * len(devices)
        joined = batches.rebatch(size)
        for x, y in strategy.experimental_distribute_dataset(joined):
        """,
    ),
)
def larger_batches():
    """Batches are put together before they are distributed."""


@crashed
@changed(run, ("mirrored(devices)", 'tf.distribute.MirroredStrategy(["CPU:O"])'))
def letter_o():
    """A letter O for a zero."""


@wrong("first_share_only")
def loop_first(devices, batches):
    """A loop over the devices, the first gradient applied."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        gradients = []
        parts = zip(
            devices, tf.split(x, len(devices)), tf.split(y, len(devices)), strict=True
        )
        for device, own_x, own_y in parts:
            with tf.device(device):
                gradients.append(gradient_of(w, own_x, own_y))
        w.assign_sub(LEARNING_RATE * gradients[0])
    return w


@wrong("gradient_on_the_first")
def loop_gradient_outside_graph(devices, batches):
    """The same in a graph."""
    w = tf.Variable([0.0, 0.0])

    @tf.function
    def step(x, y):
        gradients = []
        parts = zip(
            devices, tf.split(x, len(devices)), tf.split(y, len(devices)), strict=True
        )
        for device, own_x, own_y in parts:
            with tf.device(device), tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.linalg.matvec(own_x, w) - own_y) ** 2)
            gradients.append(tape.gradient(loss, w))
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / len(devices))

    for x, y in batches:
        step(x, y)
    return w


@wrong("gradient_on_the_first")
@changed(loop_gradient_outside_graph, ("@tf.function", ""))
def loop_gradient_outside():
    """tape.gradient outside of the tf.device block."""


@crashed
def loop_in_graph(devices, batches):
    """The loop over the batches inside tf.function."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    @tf.function
    def loop(data):
        for x, y in data:
            strategy.run(replica_step, args=(x, y))

    loop(strategy.experimental_distribute_dataset(batches))
    return w


@wrong("no_run")
def loop_in_scope(devices, batches):
    """No strategy.run at all: the loop stands in the scope."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in batches:
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
    return w


@wrong("one_share_after_the_other")
def loop_in_turn(devices, batches):
    """A loop over the devices that applies each gradient at once."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        parts = zip(
            devices, tf.split(x, len(devices)), tf.split(y, len(devices)), strict=True
        )
        for device, own_x, own_y in parts:
            with tf.device(device):
                gradient = gradient_of(w, own_x, own_y)
            w.assign_sub(LEARNING_RATE * gradient)
    return w


@wrong("last_share_only")
@changed(loop_first, ("gradients[0]", "gradients[-1]"))
def loop_last():
    """A loop over the devices, the last gradient applied."""


@crashed
def loop_over_shares(devices, batches):
    """All shares, in a loop that TensorFlow runs."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        n = len(devices)
        parts = tf.stack(tf.split(x, n)), tf.stack(tf.split(y, n))
        each = tf.map_fn(
            lambda part: gradient_of(w, *part), parts, fn_output_signature=tf.float32
        )
        gradient = tf.reduce_mean(each, axis=0)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w


@wrong("one_copy_updated_n_times")
@changed(loop_first, ("gradients[0]", "tf.add_n(gradients)"))
def loop_sum():
    """A loop over the devices, the gradients added up."""


@wrong("all_on_the_first")
def loop_unplaced(devices, batches):
    """A loop over shares without tf.device."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        n = len(devices)
        parts = zip(tf.split(x, n), tf.split(y, n), strict=True)
        gradients = [gradient_of(w, own_x, own_y) for own_x, own_y in parts]
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / n)
    return w


@wrong("whole_batch_everywhere")
def loop_whole_batch(devices, batches):
    """A loop over the devices that gives each the whole batch."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        gradients = []
        for device in devices:
            with tf.device(device):
                gradients.append(gradient_of(w, x, y))
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / len(devices))
    return w


@wrong("all_on_the_first")
def missing_pin(devices, batches):
    """A pin on a device that does not exist."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        with tf.device("GPU:7"):
            gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@crashed
@changed(run, ("mirrored(devices)", 'mirrored(["CPU:0", "CPU:9"])'))
def misspelt():
    """A misspelt device, refused by `mirrored`."""


@wrong("no_all_reduce")
def no_all_reduce(devices, batches):
    """Each replica applies its own gradient."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@wrong("no_update")
@changed(
    run,
    (
        'w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))',
        'return context.all_reduce("MEAN", gradient)',
    ),
)
def no_update():
    """Combine, and never apply."""


@crashed
def no_weights(devices, batches):
    """Return the loss instead of w."""
    for _, y in batches:
        loss = tf.reduce_mean(y)
    return float(loss)


@wrong("not_seen")
def numpy(devices, batches):
    """NumPy computes the gradients."""
    w = np.zeros(2)
    for x, y in batches:
        x, y = x.numpy(), y.numpy()
        w = w - LEARNING_RATE * 2 * (x @ w - y) @ x / len(y)
    return w


@wrong("one_replica")
@changed(run, ("mirrored(devices)", "tf.distribute.OneDeviceStrategy(devices[0])"))
def one_device_strategy():
    """OneDeviceStrategy."""


@wrong("one_replica")
@changed(run, ("strategy = mirrored(devices)", "strategy = mirrored(devices[:1])"))
def one_replica():
    """A strategy on one device."""


@wrong("one_copy_updated_n_times")
def outside_scope(devices, batches):
    """The variable is made outside the scope."""
    strategy = mirrored(devices)
    w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@wrong("one_share_after_the_other")
def outside_scope_own(devices, batches):
    """Outside the scope, and no all-reduce."""
    strategy = mirrored(devices)
    w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@wrong("own_share_twice")
@changed(
    run,
    (
        "gradient_of(w, x, y)",
        "(gradient_of(w, x, y) + gradient_of(w, x, y)) / 2",
    ),
)
def own_share_twice():
    """The own share, computed two times."""


@crashed
def per_replica(devices, batches):
    """The distributed batch goes to gradient_of, without run."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in strategy.experimental_distribute_dataset(batches):
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
    return w


@wrong("all_on_the_first")
@changed(missing_pin, ('with tf.device("GPU:7"):', "with tf.device(None):"))
def pin_none():
    """tf.device(None) takes the replica's own device away."""


@wrong("all_on_the_first")
@changed(missing_pin, ('with tf.device("GPU:7"):', 'with tf.device("CPU:0"):'))
def pinned():
    """A device left over from the script for one device."""


@wrong("pinned_to_devices_0")
@changed(missing_pin, ('with tf.device("GPU:7"):', "with tf.device(devices[0]):"))
def pinned_to_first():
    """A pin on the first of the devices."""


@wrong("whole_batches_on_devices_0")
@changed(
    missing_pin,
    ('with tf.device("GPU:7"):', "with tf.device(devices[0]):"),
    ("strategy.experimental_distribute_dataset(batches)", "batches"),
)
def pinned_to_first_plain():
    """Plain batches, and a pin on the first of the devices."""


@wrong("whole_batch_everywhere")
@changed(run, ("strategy.experimental_distribute_dataset(batches)", "batches"))
def plain_batches():
    """Plain batches to run: each replica gets all rows."""


@wrong("whole_batch_summed")
@changed(
    run,
    ('context.all_reduce("MEAN", gradient)', 'context.all_reduce("SUM", gradient)'),
    ("strategy.experimental_distribute_dataset(batches)", "batches"),
)
def plain_batches_sum():
    """Plain batches to run, and SUM."""


@wrong("smaller_batches")
@changed(
    run,
    (
        "for x, y in strategy.experimental_distribute_dataset(batches):",
        """
        size = batches.element_spec[0].shape[0] // len(devices)
        cut = batches.rebatch(size)
        for x, y in strategy.experimental_distribute_dataset(cut):
        """,
    ),
)
def smaller_batches():
    """The batches are cut before they are distributed."""


@wrong("sum_of_means")
@changed(run, ('"MEAN"', '"SUM"'))
def sum_train():
    """SUM of the means."""


@wrong
@changed(run, ("strategy = mirrored(devices)", "strategy = mirrored(devices[:2])"))
def two_devices():
    """Only the first two of the devices."""


@wrong
@changed(run, ("LEARNING_RATE", "0.03"))
def unknown():
    """Half a step: no known mistake."""


@wrong("wrong_direction")
@changed(run, ("w.assign_sub", "w.assign_add"))
def uphill():
    """Add instead of subtract."""


@crashed
def waits(devices, batches):
    """It waits for a thread that never comes."""
    threading.Barrier(2).wait(timeout=3)


@wrong("all_on_the_first")
def whole_step_pinned(devices, batches):
    """The pin around all that a replica does, eagerly."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        context = tf.distribute.get_replica_context()
        with tf.device("CPU:0"):
            gradient = gradient_of(w, x, y)
            mean = context.all_reduce("MEAN", gradient)
            w.assign_sub(LEARNING_RATE * mean)

    def step(x, y):
        strategy.run(replica_step, args=(x, y))

    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@wrong("first_device_does_all")
def where_the_data_is(devices, batches):
    """Compute and reduce where the batches are, on CPU:0; no shares are made."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        with tf.device("CPU:0"):
            gradient = gradient_of(w, x, y)
            context = tf.distribute.get_replica_context()
            gradient = context.all_reduce("MEAN", gradient)
        w.assign_sub(LEARNING_RATE * gradient)

    @tf.function
    def step(x, y):
        strategy.run(replica_step, args=(x, y))

    for x, y in batches:
        step(x, y)
    return w
