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
@changed(batch_seed, ("seed=[epoch, 0]", "seed=[1, 2]"))
def constant():
    """A constant seed."""


@wrong("other_batches")
@changed(map_first, ("batch(batch)", "batch(batch, drop_remainder=True)"))
def drop_remainder():
    """The last rows dropped."""


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
@changed(
    batch_seed,
    ("[epoch, 0]", "[epoch, ids[0]]"),
    ("map(add_noise)", "map(add_noise).prefetch(1)"),
)
def first_row():
    """One seed for a batch: its first row stands for the others."""


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
@changed(map_first, ("[2]", "[1]"))
def one_number():
    """One number for both features."""


@wrong("stateful")
@changed(batch_seed, ("stateless_normal", "normal"), ("seed=[epoch, 0]", "seed=epoch"))
def operation_seed():
    """The epoch as an operation seed: the global seed still counts."""


@wrong("product_of_epoch_and_row")
@changed(map_first, ("seed=[epoch, row]", "seed=[0, epoch * row]"))
def product():
    """Epoch times row."""


@wrong("epoch_missing")
@changed(map_first, ("seed=[epoch, row]", "seed=[7, row]"))
def row_only():
    """The row without the epoch."""


@wrong("by_place")
@changed(
    map_first,
    ("def add_noise(row, x):", "tf.random.set_seed(epoch)\n\ndef add_noise(row, x):"),
    ("tf.random.stateless_normal([2], seed=[epoch, row])", "tf.random.normal([2])"),
)
def set_seed():
    """The epoch as the global seed; rows are drawn one after another."""


@wrong("stateful")
@changed(
    map_first,
    ("tf.random.stateless_normal([2], seed=[epoch, row])", "tf.random.normal([2])"),
)
def stateful():
    """Row by row, but with a state."""


@wrong("colliding_seeds")
@changed(map_first, ("seed=[epoch, row]", "seed=[epoch + row, 0]"))
def augment_sum():
    """Epoch and row added up."""


@crashed
@changed(map_first, (".batch(batch)", ""))
def augment_unbatched():
    """Rows instead of batches."""


@wrong("uniform")
@changed(map_first, ("tf.random.stateless_normal", "tf.random.stateless_uniform"))
def uniform():
    """Uniform noise."""


@wrong("uniform_around_0")
@changed(
    map_first,
    ("normal([2], seed=[epoch, row])", "uniform([2], [epoch, row], -1.0, 1.0)"),
)
def uniform_centred():
    """Uniform noise around 0."""


@wrong("uniform_of_the_right_size")
@changed(
    map_first,
    ("normal([2], seed=[epoch, row])", "uniform([2], [epoch, row], -3**0.5, 3**0.5)"),
)
def uniform_scaled():
    """Uniform noise around 0, with the right standard deviation."""


@wrong("unscaled")
@changed(map_first, ("NOISE * noise", "noise"))
def unscaled():
    """Noise of another size."""


@wrong("x_gone")
@changed(map_first, ("x + NOISE", "NOISE"))
def x_gone():
    """Noise instead of noisy features."""
