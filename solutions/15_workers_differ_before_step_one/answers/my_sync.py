"""Answers to 15/my_sync, right and wrong, and what the check says of each."""

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
        return context.all_gather(value[None], axis=0)

    for variable in variables:
        values = strategy.run(gather, (variable.read_value(),))
        variable.assign(values[0])


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
@changed(sync_gather, ("in variables:", "in variables[:1]:"))
def first_only():
    """Only the first variable."""


@wrong("through_float32")
@changed(float64, ("tf.float64", "tf.float32"))
def float32():
    """All values go through float32."""


@wrong("through_float64")
def float64(strategy, variables):
    """All values go through float64."""
    for v in variables:
        with strategy.scope():
            chiefs = tf.Variable(tf.cast(v, tf.float64))
        v.assign(tf.cast(chiefs, v.dtype))


@wrong("floats_through_float32")
@changed(float64, ("tf.float64", "v.dtype if v.dtype.is_integer else tf.float32"))
def floats_float32():
    """All but whole numbers go through float32."""


@wrong("whole_numbers_left_out")
@changed(sync_gather, ("variables:", "[v for v in variables if v.dtype.is_floating]:"))
def floats_only():
    """Only floating point numbers."""


@wrong("largest")
@changed(sync_gather, ("values[0]", "tf.reduce_max(values, axis=0)"))
def largest():
    """The largest of all values."""


@wrong("last_worker")
@changed(sync_gather, ("values[0]", "values[-1]"))
def last_worker():
    """The last worker's values."""


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
        return tf.distribute.get_replica_context().all_reduce("MEAN", value)

    for variable in variables:
        joined = strategy.run(join, (variable.read_value(),))
        variable.assign(tf.cast(joined, variable.dtype))


@wrong("mean_of_masked")
@changed(
    mean,
    ("(variable.read_value(),)", "(variable.read_value() * keep,)"),
    ("for v", "keep = 0 if strategy.cluster_resolver.task_id else 1\nfor v"),
)
def mean_of_masked():
    """The mask is right, and MEAN divides."""


@crashed
@changed(mean, ("tf.cast(joined, variable.dtype)", "joined"))
def mean_type():
    """The mean of whole numbers is a fraction, which can't be assigned."""


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
@changed(times_mask, ("task_id == 0", "task_id != 0"))
def others_added():
    """The mask is the wrong way round."""


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
@changed(mean, ('"MEAN"', '"SUM"'))
def sum_sync():
    """Workers that agree on the sum."""


@wrong("worker_1")
@changed(times_mask, ("task_id == 0", "task_id == 1"))
def mask_1():
    """Workers are counted from 1 in the mask."""


@wrong("zeros")
@changed(times_mask, ("task_id == 0", 'task_type == "chief"'))
def mask_chief():
    """The mask looks for a task of the type chief; the chief is worker 0 here."""


@wrong("two_weights_only")
@changed(times_mask, ("for variable in variables:", "for variable in variables[:2]:"))
def kernel_and_bias():
    """As if there were a kernel and a bias only."""


@wrong("float32_only")
@changed(times_mask, ("variables:", "[v for v in variables if v.dtype == tf.float32]:"))
def other_dtypes_passed():
    """Only variables of float32."""
