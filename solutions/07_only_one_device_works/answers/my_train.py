"""Answers to 07/my_train, right and wrong, and what the check says of each."""

import functools
import threading

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong
from course import mirrored


def on_shares(replica_step, shared=True):
    """Return the training whose replicas take this step on their shares, in a graph.

    Unless they are `shared`, each replica gets all rows of each batch.
    """

    def train(devices, batches):
        strategy = mirrored(devices)
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])
        own = functools.partial(replica_step, devices, w)
        step = tf.function(lambda x, y: strategy.run(own, args=(x, y)))
        if shared:
            batches = strategy.experimental_distribute_dataset(batches)
        for x, y in batches:
            step(x, y)
        return w

    return train


on_whole_batches = functools.partial(on_shares, shared=False)


def all_reduced(gradient, how="MEAN"):
    """Combine the replicas' gradients."""
    return tf.distribute.get_replica_context().all_reduce(how, gradient)


def shares(n, x, y):
    """Cut the rows of a batch into n shares."""
    return zip(tf.split(x, n), tf.split(y, n), strict=True)


def size_of(batches):
    """The number of rows in a batch."""
    return batches.element_spec[0].shape[0]


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

    @tf.function
    def step(x, y):
        strategy.run(replica_step, args=(x, y))

    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w


@right
@changed(run, ("@tf.function", ""))
def eager():
    """The same without tf.function: slower, but all devices work."""


@right
@changed(
    run, ("@tf.function", ""), ("def replica_step", "@tf.function\ndef replica_step")
)
def function_inside():
    """tf.function inside run, not around it."""


@right
@changed(run, ("mirrored(devices)", "tf.distribute.MirroredStrategy(devices)"))
def plain_strategy():
    """TensorFlow's own class, with its default reduction."""


@right
@changed(run, ("mirrored(devices)", "mirrored(devices[::-1])"))
def train_reversed():
    """The devices in another order."""


@right
@on_shares
def in_halves(devices, w, x, y):
    """The own share in two halves: the same rows, once each."""
    gradient = tf.add_n([gradient_of(w, *half) for half in shares(2, x, y)]) / 2
    w.assign_sub(LEARNING_RATE * all_reduced(gradient))


@right
@on_shares
def own_tape(devices, w, x, y):
    """A tape of its own, with w itself."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(LEARNING_RATE * all_reduced(tape.gradient(loss, w)))


@right
@changed(
    run,
    ('all_reduce("MEAN", gradient)', 'all_reduce("SUM", gradient) / len(devices)'),
    ("return w", "return list(strategy.experimental_local_results(w))"),
)
def train_sum():
    """SUM, divided by the number of replicas; the copies are returned."""


@right
@changed(
    run,
    ("tf.Variable([0.0, 0.0])", "tf.keras.Variable([[0.0], [0.0]])"),
    ("gradient_of(w, x, y)", "gradient_of(tf.reshape(w, [2]), x, y)[:, None]"),
    ("w.assign_sub", "w.value.assign_sub"),
)
def keras_variable():
    """A Keras variable of shape (2, 1)."""


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
def train_loop(devices, batches):
    """No strategy: a loop over the devices, one variable."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        gradients = []
        for device, part in zip(devices, shares(len(devices), x, y), strict=True):
            with tf.device(device):
                gradients.append(gradient_of(w, *part))
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / len(devices))
    return w


@right
def one_function_on_all(devices, batches):
    """A tf.function that names no device, called on each of them in turn."""
    w, own_gradient = tf.Variable([0.0, 0.0]), tf.function(gradient_of)
    for x, y in batches:
        gradients = []
        for device, part in zip(devices, shares(len(devices), x, y), strict=True):
            with tf.device(device):
                gradients.append(own_gradient(w, *part))
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
        for i, part in enumerate(shares(n, x, y)):
            with tf.device(devices[i]):
                gradients.append(gradient_of(copies[i], *part))
        mean = tf.add_n(gradients) / n
        for copy in copies:
            copy.assign_sub(LEARNING_RATE * mean)

    for x, y in batches:
        step(x, y)
    return copies


@wrong("all_devices")
@changed(run, ("mirrored(devices)", "tf.distribute.MirroredStrategy()"))
def all_devices():
    """MirroredStrategy() without a list."""


@wrong("all_devices")
@changed(run, ("mirrored(devices)", 'mirrored(["CPU:0", "CPU:1", "CPU:2", "CPU:3"])'))
def four_by_hand():
    """A list of devices of its own."""


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


@wrong("one_replica")
@changed(run, ("mirrored(devices)", "tf.distribute.OneDeviceStrategy(devices[0])"))
def one_device_strategy():
    """OneDeviceStrategy."""


@wrong("one_replica")
@changed(run, ("mirrored(devices)", "mirrored(devices[:1])"))
def one_replica():
    """A strategy on one device."""


@wrong("four_rows_each")
@on_whole_batches
def four_rows_each(devices, w, x, y):
    """A share of four rows, whatever the batch and the number of devices."""
    me = tf.distribute.get_replica_context().replica_id_in_sync_group
    mine = slice(4 * me, 4 * me + 4)
    w.assign_sub(LEARNING_RATE * all_reduced(gradient_of(w, x[mine], y[mine])))


@wrong("quarters")
@on_whole_batches
def quarters(devices, w, x, y):
    """A quarter of the batch, whatever the number of devices."""
    me = tf.distribute.get_replica_context().replica_id_in_sync_group
    n = len(x) // 4
    mine = slice(n * me, n * me + n)
    w.assign_sub(LEARNING_RATE * all_reduced(gradient_of(w, x[mine], y[mine])))


@right
@on_whole_batches
def own_slice(devices, w, x, y):
    """The own share cut out of the whole batch."""
    me = tf.distribute.get_replica_context().replica_id_in_sync_group
    n = len(x) // len(devices)
    mine = slice(n * me, n * me + n)
    w.assign_sub(LEARNING_RATE * all_reduced(gradient_of(w, x[mine], y[mine])))


def element_wise(w, x, y):
    """The gradient of the mean loss, without a matrix multiplication."""
    off = tf.reduce_sum(x * w, axis=1) - y
    return 2 * tf.reduce_mean(off[:, None] * x, axis=0)


@wrong("only_shown")
def shares_for_show(devices, batches):
    """Element by element on one device; the gradients of the shares are not used."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        for device, own in zip(devices, shares(len(devices), x, y), strict=True):
            with tf.device(device):
                gradient_of(w, *own)
        w.assign_sub(LEARNING_RATE * element_wise(w, x, y))
    return w


@wrong("only_shown")
def shares_for_show_in_a_graph(devices, batches):
    """The same in replicas: the reduced gradients count nothing."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(own_x, own_y, x, y):
        reduced = all_reduced(gradient_of(w, own_x, own_y))
        w.assign_sub(LEARNING_RATE * (element_wise(w, x, y) + 0 * reduced))

    @tf.function
    def step(own_x, own_y, x, y):
        strategy.run(replica_step, args=(own_x, own_y, x, y))

    distributed = strategy.experimental_distribute_dataset(batches)
    for own, whole in zip(distributed, batches, strict=True):
        step(*own, *whole)
    return w


@wrong
@changed(run, ("mirrored(devices)", "mirrored(devices[:2])"))
def two_devices():
    """Only the first two of the devices."""


@wrong("one_copy_updated_n_times")
@changed(run, ("with strategy.scope():\n    w =", "w ="))
def outside_scope():
    """The variable is made outside the scope."""


@wrong("one_share_after_the_other")
@changed(
    run,
    ("with strategy.scope():\n    w =", "w ="),
    ('context.all_reduce("MEAN", gradient)', "gradient"),
)
def outside_scope_own():
    """Outside the scope, and no all-reduce."""


@wrong("no_all_reduce")
@changed(run, ('context.all_reduce("MEAN", gradient)', "gradient"))
def no_all_reduce():
    """Each replica applies its own gradient."""


@wrong("sum_of_means")
@changed(run, ('"MEAN"', '"SUM"'))
def sum_train():
    """SUM of the means."""


@wrong("divided_twice")
@changed(
    run, ('all_reduce("MEAN", gradient)', 'all_reduce("MEAN", gradient) / len(devices)')
)
def divided_twice():
    """MEAN, and divided again."""


@wrong("no_update")
@on_shares
def no_update(devices, w, x, y):
    """Combine, and never apply."""
    return all_reduced(gradient_of(w, x, y))


@wrong("wrong_direction")
@changed(run, ("w.assign_sub", "w.assign_add"))
def uphill():
    """Add instead of subtract."""


@wrong
@changed(run, ("LEARNING_RATE", "0.03"))
def unknown():
    """Half a step: no known mistake."""


@wrong("first_batch_only")
@changed(run, ("(batches)", "(batches.take(1))"))
def first_batch():
    """Only the first batch."""


@wrong("larger_batches")
@changed(run, ("(batches)", "(batches.rebatch(size_of(batches) * len(devices)))"))
def larger_batches():
    """Batches are put together before they are distributed."""


@wrong("smaller_batches")
@changed(run, ("(batches)", "(batches.rebatch(size_of(batches) // len(devices)))"))
def smaller_batches():
    """The batches are cut before they are distributed."""


@wrong("own_share_twice")
@changed(
    run,
    ("gradient_of(w, x, y)", "(gradient_of(w, x, y) + gradient_of(w, x, y)) / 2"),
)
def own_share_twice():
    """The own share, computed two times."""


@wrong("whole_batch_everywhere")
@changed(run, ("strategy.experimental_distribute_dataset(batches)", "batches"))
def plain_batches():
    """Plain batches to run: each replica gets all rows."""


@wrong("whole_batch_everywhere")
@on_shares
def gathered(devices, w, x, y):
    """Each replica gathers the whole batch."""
    context = tf.distribute.get_replica_context()
    x, y = context.all_gather(x, axis=0), context.all_gather(y, axis=0)
    w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))


@wrong("whole_batch_summed")
@on_whole_batches
def plain_batches_sum(devices, w, x, y):
    """Plain batches to run, and SUM."""
    w.assign_sub(LEARNING_RATE * all_reduced(gradient_of(w, x, y), "SUM"))


@wrong("all_shares_everywhere")
@on_whole_batches
def all_shares(devices, w, x, y):
    """Plain batches: every replica computes all shares, one by one."""
    gradients = [gradient_of(w, *part) for part in shares(len(devices), x, y)]
    w.assign_sub(LEARNING_RATE * all_reduced(tf.add_n(gradients) / len(devices)))


@wrong("one_share_only")
@on_whole_batches
def all_take_the_first(devices, w, x, y):
    """Plain batches: every replica takes the first share."""
    share = x.shape[0] // len(devices)
    gradient = gradient_of(w, x[:share], y[:share])
    w.assign_sub(LEARNING_RATE * all_reduced(gradient))


@wrong("one_share_only")
@changed(
    reduce,
    (
        'strategy.reduce("MEAN", each, axis=None)',
        "strategy.experimental_local_results(each)[0]",
    ),
)
def first_result():
    """Of the replicas' gradients, the first is applied."""


@wrong("all_on_the_first")
@on_shares
def missing_pin(devices, w, x, y):
    """A pin on a device that does not exist."""
    with tf.device("GPU:7"):
        gradient = gradient_of(w, x, y)
    w.assign_sub(LEARNING_RATE * all_reduced(gradient))


@wrong("all_on_the_first")
@changed(missing_pin, ('"GPU:7"', "None"))
def pin_none():
    """tf.device(None) takes the replica's own device away."""


@wrong("all_on_the_first")
@changed(missing_pin, ('"GPU:7"', '"CPU:0"'))
def pinned():
    """A device left over from the script for one device."""


@wrong("pinned_to_devices_0")
@changed(missing_pin, ('"GPU:7"', "devices[0]"))
def pinned_to_first():
    """A pin on the first of the devices."""


@wrong("whole_batches_on_devices_0")
@changed(missing_pin, ("@on_shares", "@on_whole_batches"), ('"GPU:7"', "devices[0]"))
def pinned_to_first_plain():
    """Plain batches, and a pin on the first of the devices."""


@wrong("forward_on_the_first")
@changed(
    own_tape, ("GradientTape() as tape", 'GradientTape() as tape, tf.device("CPU:0")')
)
def forward_pinned():
    """Only the loss is pinned."""


@wrong("all_on_the_first")
def whole_step_pinned(devices, batches):
    """The pin around all that a replica does, eagerly."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        with tf.device("CPU:0"):
            mean = all_reduced(gradient_of(w, x, y))
            w.assign_sub(LEARNING_RATE * mean)

    for x, y in strategy.experimental_distribute_dataset(batches):
        strategy.run(replica_step, args=(x, y))
    return w


@wrong("first_device_does_all")
@on_whole_batches
def where_the_data_is(devices, w, x, y):
    """Compute and reduce where the batches are, on CPU:0; no shares are made."""
    with tf.device("CPU:0"):
        gradient = all_reduced(gradient_of(w, x, y))
    w.assign_sub(LEARNING_RATE * gradient)


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


@wrong("no_run")
@changed(graph_in_scope, ("@tf.function", ""))
def loop_in_scope():
    """No strategy.run at all: the loop stands in the scope."""


@wrong("no_run")
def distributed_data_only(devices, batches):
    """Distribute the dataset, take the shares together again, no run."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for batch in strategy.experimental_distribute_dataset(batches):
            parts = map(strategy.experimental_local_results, batch)
            x, y = (tf.concat(each, axis=0) for each in parts)
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
    return w


@wrong("first_share_only")
@changed(train_loop, ("tf.add_n(gradients) / len(devices)", "gradients[0]"))
def loop_first():
    """A loop over the devices, the first gradient applied."""


@wrong("last_share_only")
@changed(train_loop, ("tf.add_n(gradients) / len(devices)", "gradients[-1]"))
def loop_last():
    """A loop over the devices, the last gradient applied."""


@wrong("one_copy_updated_n_times")
@changed(train_loop, (" / len(devices)", ""))
def loop_sum():
    """A loop over the devices, the gradients added up."""


@wrong("whole_batch_everywhere")
@changed(train_loop, ("*part", "x, y"))
def loop_whole_batch():
    """A loop over the devices that gives each the whole batch."""


@wrong("all_on_the_first")
@changed(train_loop, ("with tf.device(device):\n    gradients", "gradients"))
def loop_unplaced():
    """A loop over shares without tf.device."""


@wrong("one_share_after_the_other")
def loop_in_turn(devices, batches):
    """A loop over the devices that applies each gradient at once."""
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        for device, part in zip(devices, shares(len(devices), x, y), strict=True):
            with tf.device(device):
                gradient = gradient_of(w, *part)
            w.assign_sub(LEARNING_RATE * gradient)
    return w


@wrong("gradient_on_the_first")
def loop_gradient_outside_graph(devices, batches):
    """The same in a graph."""
    w = tf.Variable([0.0, 0.0])

    @tf.function
    def step(x, y):
        gradients = []
        for i, (own_x, own_y) in enumerate(shares(len(devices), x, y)):
            with tf.device(devices[i]), tf.GradientTape() as tape:
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


@wrong("not_seen")
def numpy(devices, batches):
    """NumPy computes the gradients."""
    w = np.zeros(2)
    for x, y in batches:
        x, y = x.numpy(), y.numpy()
        w = w - LEARNING_RATE * 2 * (x @ w - y) @ x / len(y)
    return w


@crashed
@changed(
    run,
    (
        "strategy.run(replica_step, args=(x, y))",
        "with strategy.scope():\n    replica_step(x, y)",
    ),
    ("strategy.experimental_distribute_dataset(batches)", "batches"),
)
def context_outside():
    """Ask for the replica context outside of run."""


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


@crashed
@changed(run, ("mirrored(devices)", 'mirrored(["CPU:0", "CPU:9"])'))
def misspelt():
    """A misspelt device, refused by `mirrored`."""


@crashed
@changed(run, ("mirrored(devices)", 'tf.distribute.MirroredStrategy(["CPU:O"])'))
def letter_o():
    """A letter O for a zero."""


@wrong
@changed(run, ("return w", "return None"))
def keras_like_return():
    """Forget to return w."""


@crashed
@changed(
    graph_in_scope,
    ("@tf.function", ""),
    ("in batches", "in strategy.experimental_distribute_dataset(batches)"),
)
def per_replica():
    """The distributed batch goes to gradient_of, without run."""


@crashed
def loop_in_graph(devices, batches):
    """The loop over the batches inside tf.function."""
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        w.assign_sub(LEARNING_RATE * all_reduced(gradient_of(w, x, y)))

    @tf.function
    def loop(data):
        for x, y in data:
            strategy.run(replica_step, args=(x, y))

    loop(strategy.experimental_distribute_dataset(batches))
    return w


@crashed
@on_whole_batches
def loop_over_shares(devices, w, x, y):
    """All shares, in a loop that TensorFlow runs."""
    n = len(devices)
    gradients = tf.map_fn(
        lambda part: gradient_of(w, *part),
        (tf.stack(tf.split(x, n)), tf.stack(tf.split(y, n))),
        fn_output_signature=tf.float32,
    )
    w.assign_sub(LEARNING_RATE * all_reduced(tf.reduce_mean(gradients, axis=0)))


@wrong
def no_weights(devices, batches):
    """Return the loss instead of w."""
    for _, y in batches:
        loss = tf.reduce_mean(y)
    return float(loss)


@crashed
def endless(devices, batches):
    """A loop that never ends."""
    w = [0.0, 0.0]
    while True:
        w = [w[0] + 1.0, w[1]]
    return w


@crashed
def waits(devices, batches):
    """It waits for a thread that never comes."""
    threading.Barrier(2).wait(timeout=3)
