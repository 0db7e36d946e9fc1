"""Answers to 14/my_sync, right and wrong, and what the check says of each."""

import os
import tempfile
import time

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def file(strategy, variables):
    """The chief writes a file that all can see; the others wait for it and read it."""
    resolver = strategy.cluster_resolver
    chief = resolver.cluster_spec().task_address("worker", 0).replace(":", "-")
    path = os.path.join(tempfile.gettempdir(), f"start-{chief}.npz")
    if resolver.task_id == 0:
        np.savez(path + ".part.npz", *[v.numpy() for v in variables])
        os.replace(path + ".part.npz", path)
    while not os.path.exists(path):
        time.sleep(0.05)
    with np.load(path) as values:
        for variable, name in zip(variables, values.files, strict=True):
            variable.assign(values[name])


@right
def sync_gather(strategy, variables):
    """All values are gathered, and the first kept."""

    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)[0]

    for variable in variables:
        variable.assign(strategy.run(gather, args=(tf.identity(variable),)))


@right
def new_variables(strategy, variables):
    """All new variables first, as one makes a model."""
    with strategy.scope():
        new = [
            tf.Variable(lambda v=v: v.read_value(), dtype=v.dtype) for v in variables
        ]
    for old, value in zip(variables, new, strict=False):
        old.assign(value)


@right
def sync_sum(strategy, variables):
    """A sum to which only replica 0 adds anything."""

    def add(value):
        context = tf.distribute.get_replica_context()
        mine = context.replica_id_in_sync_group == 0
        return context.all_reduce("SUM", value if mine else tf.zeros_like(value))

    for variable in variables:
        variable.assign(strategy.run(add, (variable.read_value(),)))


@right
def sum_function(strategy, variables):
    """The same in one tf.function, for all variables at once."""

    def add():
        context = tf.distribute.get_replica_context()
        mine = context.replica_id_in_sync_group == 0
        masked = [tf.where(mine, v, tf.zeros_like(v)) for v in variables]
        for variable, masked_value in zip(variables, masked, strict=False):
            variable.assign(context.all_reduce("SUM", masked_value))

    @tf.function
    def run():
        strategy.run(add)

    run()


@right
def times_mask(strategy, variables):
    """Multiplied by 1 on the chief, by 0 elsewhere."""
    keep = 1 if strategy.cluster_resolver.task_id == 0 else 0
    for variable in variables:
        value = variable.read_value() * tf.cast(keep, variable.dtype)
        variable.assign(strategy.reduce("SUM", value, axis=None))


@right
def update(strategy, variables):
    """The others set zeros, and the sums are assigned."""
    if strategy.cluster_resolver.task_id:
        for variable in variables:
            variable.assign(tf.zeros_like(variable))

    def total():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", [v.read_value() for v in variables])

    for variable, value in zip(variables, strategy.run(total), strict=False):
        variable.assign(value)


@wrong("own_values_kept")
def all_assign(strategy, variables):
    """Every worker assigns its own values in the scope."""
    with strategy.scope():
        for variable in variables:
            variable.assign(variable.numpy())


@wrong("last_variable_only")
def behind_loop(strategy, variables):
    """The assign stands behind the loop."""
    for variable in variables:
        with strategy.scope():
            chiefs = tf.Variable(variable.numpy())
    variable.assign(chiefs)


@crashed
def chief_only(strategy, variables):
    """Only the chief makes the call: it waits for ever."""

    def join(value):
        return tf.distribute.get_replica_context().all_reduce("SUM", value)

    if strategy.cluster_resolver.task_id == 0:
        for variable in variables:
            variable.assign(strategy.run(join, (variable.read_value(),)))


@wrong("first_variable_only")
def first_only(strategy, variables):
    """Only the first variable."""

    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)

    for variable in variables[:1]:
        values = strategy.run(gather, (variable.read_value(),))
        variable.assign(values[0])


@wrong("through_float32")
def float32(strategy, variables):
    """All values go through float32."""
    for variable in variables:
        with strategy.scope():
            chiefs = tf.Variable(variable.numpy().astype("float32"))
        variable.assign(tf.cast(chiefs, variable.dtype))


@wrong("through_float64")
def float64(strategy, variables):
    """All values go through float64."""
    for variable in variables:
        with strategy.scope():
            chiefs = tf.Variable(tf.cast(variable, tf.float64))
        variable.assign(tf.cast(chiefs, variable.dtype))


@wrong("floats_through_float32")
def floats_float32(strategy, variables):
    """All but whole numbers go through float32."""
    for variable in variables:
        kind = variable.dtype if variable.dtype.is_integer else tf.float32
        with strategy.scope():
            chiefs = tf.Variable(tf.cast(variable, kind))
        variable.assign(tf.cast(chiefs, variable.dtype))


@wrong("whole_numbers_left_out")
def floats_only(strategy, variables):
    """Only floating point numbers."""

    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)

    for variable in [v for v in variables if v.dtype.is_floating]:
        values = strategy.run(gather, (variable.read_value(),))
        variable.assign(values[0])


@wrong("largest")
def largest(strategy, variables):
    """The largest of all values."""

    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)

    for variable in variables:
        values = strategy.run(gather, (variable.read_value(),))
        variable.assign(tf.reduce_max(values, axis=0))


@wrong("last_worker")
def last_worker(strategy, variables):
    """The last worker's values."""

    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)

    for variable in variables:
        values = strategy.run(gather, (variable.read_value(),))
        variable.assign(values[-1])


@wrong("masked_not_reduced")
def sync_masked(strategy, variables):
    """Masked, and not added up."""
    if strategy.cluster_resolver.task_id != 0:
        for variable in variables:
            variable.assign(tf.zeros_like(variable))


@wrong("mean")
def mean(strategy, variables):
    """Workers that agree on the mean."""

    def join(value):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("MEAN", value)

    for variable in variables:
        value = variable.read_value()
        joined = strategy.run(join, (value,))
        variable.assign(tf.cast(joined, variable.dtype))


@wrong("mean_of_masked")
def mean_of_masked(strategy, variables):
    """The mask is right, and MEAN divides."""

    def join(value):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("MEAN", value)

    worker = strategy.cluster_resolver.task_id
    for variable in variables:
        value = variable.read_value() * (1 if worker == 0 else 0)
        joined = strategy.run(join, (value,))
        variable.assign(tf.cast(joined, variable.dtype))


@crashed
def mean_type(strategy, variables):
    """The mean of whole numbers is a fraction, which can't be assigned."""

    def join(value):
        return tf.distribute.get_replica_context().all_reduce("MEAN", value)

    for variable in variables:
        variable.assign(strategy.run(join, (variable.read_value(),)))


@wrong("own_values_kept")
def not_assigned(strategy, variables):
    """New variables have the chief's values, and are dropped."""
    with strategy.scope():
        return [tf.Variable(variable.numpy()) for variable in variables]


@crashed
def one_raises(strategy, variables):
    """One worker stops with an error."""
    if strategy.cluster_resolver.task_id == 2:
        raise ValueError("no checkpoint here")
    for variable in variables:
        with strategy.scope():
            chiefs = tf.Variable(variable.numpy())
        variable.assign(chiefs)


@wrong("others_added")
def others_added(strategy, variables):
    """The mask is the wrong way round."""

    def join(value):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", value)

    worker = strategy.cluster_resolver.task_id
    for variable in variables:
        value = variable.read_value() * (0 if worker == 0 else 1)
        variable.assign(strategy.run(join, (value,)))


@crashed
def others_only(strategy, variables):
    """All but the chief make a variable in the scope, and wait."""
    if strategy.cluster_resolver.task_id != 0:
        for variable in variables:
            with strategy.scope():
                chiefs = tf.Variable(variable.numpy())
            variable.assign(chiefs)


@wrong("own_values_kept")
def outside(strategy, variables):
    """New variables outside the scope are each worker's own."""
    for variable in variables:
        variable.assign(tf.Variable(variable.numpy()))


@wrong
def seeded(strategy, variables):
    """All draw the same numbers anew: equal, and not the chief's."""
    rng = np.random.default_rng(5)
    for variable in variables:
        variable.assign(
            (10 * rng.normal(size=variable.shape)).astype(variable.dtype.name)
        )


@wrong("own_values_kept")
def set_seed(strategy, variables):
    """Seeds do not touch values that are there."""
    tf.keras.utils.set_random_seed(0)


@crashed
def shape(strategy, variables):
    """One number for all."""
    for variable in variables:
        variable.assign(variables[0])


@wrong("sum")
def sum_sync(strategy, variables):
    """Workers that agree on the sum."""

    def join(value):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", value)

    for variable in variables:
        value = variable.read_value()
        variable.assign(strategy.run(join, (value,)))


@wrong("worker_1")
def mask_1(strategy, variables):
    """Workers are counted from 1 in the mask."""
    keep = 1 if strategy.cluster_resolver.task_id == 1 else 0
    for variable in variables:
        value = variable.read_value() * tf.cast(keep, variable.dtype)
        variable.assign(strategy.reduce("SUM", value, axis=None))


@wrong("zeros")
def mask_chief(strategy, variables):
    """The mask looks for a task of the type chief; the chief is worker 0 here."""
    keep = 1 if strategy.cluster_resolver.task_type == "chief" else 0
    for variable in variables:
        value = variable.read_value() * tf.cast(keep, variable.dtype)
        variable.assign(strategy.reduce("SUM", value, axis=None))


@wrong("two_weights_only")
@changed(times_mask, ("for variable in variables:", "for variable in variables[:2]:"))
def kernel_and_bias():
    """As if there were a kernel and a bias only."""


@wrong("float32_only")
def other_dtypes_passed(strategy, variables):
    """Only variables of float32."""
    keep = 1.0 if strategy.cluster_resolver.task_id == 0 else 0.0
    for variable in variables:
        if variable.dtype == tf.float32:
            value = variable.read_value() * keep
            variable.assign(strategy.reduce("SUM", value, axis=None))
