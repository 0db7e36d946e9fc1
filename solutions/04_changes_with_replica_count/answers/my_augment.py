"""Answers to 04/my_augment, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong

NOISE = 0.1


@right
def in_batches(data, batch, epoch):
    """Batches first; the noise row by row."""

    def for_row(row):
        return NOISE * tf.random.stateless_normal([2], seed=[row, epoch])

    def add_noise(ids, x):
        return ids, x + tf.map_fn(for_row, ids, fn_output_signature=tf.float32)

    return data.batch(batch).map(add_noise, num_parallel_calls=2)


@right
def map_first(data, batch, epoch):
    """Noise for each row, then batches."""

    def add_noise(row, x):
        noise = tf.random.stateless_normal([2], seed=[epoch, row])
        return row, x + NOISE * noise

    return data.map(add_noise).batch(batch)


@right
def unbatched(data, batch, epoch):
    """Batches first, then rows again, then batches."""

    def with_noise(row, x):
        seed = tf.stack([row, tf.cast(epoch, row.dtype)])
        return row, x + tf.random.stateless_normal(tf.shape(x), seed=seed, stddev=0.1)

    return data.batch(batch).unbatch().map(with_noise).batch(batch).prefetch(1)


@wrong("same_for_all_batches")
def batch_seed(data, batch, epoch):
    """The epoch without the row."""

    def add_noise(ids, x):
        noise = tf.random.stateless_normal(tf.shape(x), seed=[epoch, 0])
        return ids, x + NOISE * noise

    return data.batch(batch).map(add_noise)


@wrong("same_everywhere")
def constant(data, batch, epoch):
    """A constant seed."""

    def add_noise(ids, x):
        return ids, x + NOISE * tf.random.stateless_normal(tf.shape(x), seed=[1, 2])

    return data.batch(batch).map(add_noise)


@wrong("other_batches")
def drop_remainder(data, batch, epoch):
    """The last rows dropped."""

    def add_noise(row, x):
        return row, x + NOISE * tf.random.stateless_normal([2], seed=[epoch, row])

    return data.map(add_noise).batch(batch, drop_remainder=True)


@wrong("by_place")
def augment_enumerate(data, batch, epoch):
    """A count of the rows instead of their numbers."""

    def add_noise(place, one):
        row, x = one
        seed = [tf.cast(epoch, tf.int64), place]
        return row, x + NOISE * tf.random.stateless_normal([2], seed=seed)

    return data.enumerate().map(add_noise).batch(batch)


@wrong("epoch_missing")
@changed(map_first, ("seed=[epoch, row]", "seed=[epoch % 2, row]"))
def epoch_modulo():
    """A part of the epoch's number."""


@wrong("one_seed_for_a_batch")
def first_row(data, batch, epoch):
    """One seed for a batch: its first row stands for the others."""

    def add_noise(ids, x):
        seed = tf.stack([epoch, ids[0]])
        return ids, x + NOISE * tf.random.stateless_normal(tf.shape(x), seed=seed)

    return data.batch(batch).map(add_noise).prefetch(1)


@wrong("state_of_the_dataset")
def augment_generator(data, batch, epoch):
    """A generator of the epoch draws one row after another."""
    generator = tf.random.Generator.from_seed(epoch)

    def add_noise(row, x):
        return row, x + NOISE * generator.normal([2])

    return data.map(add_noise).batch(batch)


@wrong("colliding_seeds")
@changed(map_first, ("seed=[epoch, row]", "seed=[0, epoch * 100 + row]"))
def hundred():
    """One number, with too small a factor."""


@wrong("x_multiplied")
@changed(map_first, ("row, x + NOISE * noise", "row, x * (1 + NOISE * noise)"))
def multiplied():
    """Features times noise around 1."""


@wrong("no_noise")
def no_noise(data, batch, epoch):
    """No noise."""
    return data.batch(batch)


@wrong("numpy")
def numpy(data, batch, epoch):
    """Noise of NumPy, traced once."""

    def add_noise(row, x):
        return row, x + NOISE * np.random.normal(size=2)

    return data.map(add_noise).batch(batch)


@wrong("one_number_for_a_row")
def one_number(data, batch, epoch):
    """One number for both features."""

    def add_noise(row, x):
        return row, x + NOISE * tf.random.stateless_normal([1], seed=[epoch, row])

    return data.map(add_noise).batch(batch)


@wrong("stateful")
def operation_seed(data, batch, epoch):
    """The epoch as an operation seed: the global seed still counts."""

    def add_noise(ids, x):
        return ids, x + NOISE * tf.random.normal(tf.shape(x), seed=epoch)

    return data.batch(batch).map(add_noise)


@wrong("product_of_epoch_and_row")
@changed(map_first, ("seed=[epoch, row]", "seed=[0, epoch * row]"))
def product():
    """Epoch times row."""


@wrong("epoch_missing")
def row_only(data, batch, epoch):
    """The row without the epoch."""

    def add_noise(row, x):
        return row, x + NOISE * tf.random.stateless_normal([2], seed=[7, row])

    return data.map(add_noise).batch(batch)


@wrong("by_place")
def set_seed(data, batch, epoch):
    """The epoch as the global seed; rows are drawn one after another."""
    tf.random.set_seed(epoch)

    def add_noise(row, x):
        return row, x + NOISE * tf.random.normal([2])

    return data.map(add_noise).batch(batch)


@wrong("stateful")
def stateful(data, batch, epoch):
    """Row by row, but with a state."""

    def add_noise(row, x):
        return row, x + NOISE * tf.random.normal([2])

    return data.map(add_noise).batch(batch)


@wrong("colliding_seeds")
@changed(map_first, ("seed=[epoch, row]", "seed=[epoch + row, 0]"))
def augment_sum():
    """Epoch and row added up."""


@crashed
def augment_unbatched(data, batch, epoch):
    """Rows instead of batches."""

    def add_noise(row, x):
        return row, x + NOISE * tf.random.stateless_normal([2], seed=[epoch, row])

    return data.map(add_noise)


@wrong("uniform")
@changed(map_first, ("tf.random.stateless_normal", "tf.random.stateless_uniform"))
def uniform():
    """Uniform noise."""


@wrong("unscaled")
def unscaled(data, batch, epoch):
    """Noise of another size."""

    def add_noise(row, x):
        return row, x + tf.random.stateless_normal([2], seed=[epoch, row])

    return data.map(add_noise).batch(batch)


@wrong("x_gone")
def x_gone(data, batch, epoch):
    """Noise instead of noisy features."""

    def add_noise(row, x):
        return row, NOISE * tf.random.stateless_normal([2], seed=[epoch, row])

    return data.map(add_noise).batch(batch)
