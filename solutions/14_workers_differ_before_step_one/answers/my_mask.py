"""Answers to 14/my_mask, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def mask_map(seed, step, places, worker, workers, units):
    """map_fn, and two numbers of which one joins step and row."""

    def for_place(place):
        row = place * workers + worker
        return tf.random.stateless_uniform([units], seed=[seed, step * 100_000 + row])

    numbers = tf.map_fn(for_place, places, fn_output_signature=tf.float32)
    return tf.cast(numbers < KEEP, tf.float32)


@right
def numpy(seed, step, places, worker, workers, units):
    """A NumPy generator for each (seed, step, row)."""
    rows = np.asarray(places) * workers + worker
    drawn = [np.random.default_rng([seed, step, r]).random(units) for r in rows]
    return np.array(drawn) < KEEP


@right
def mask_range(seed, step, places, worker, workers, units):
    """The rows of a shard, as a range."""
    fold_in = tf.random.experimental.stateless_fold_in
    rows = [int(place) * workers + worker for place in places]
    seeds = [fold_in(fold_in([seed, 7], step), r) for r in rows]
    drawn = [tf.random.stateless_uniform([units], seed=each) for each in seeds]
    return tf.stack([tf.cast(numbers < KEEP, tf.float32) for numbers in drawn])


@right
def mask_table(seed, step, places, worker, workers, units):
    """A table for 1000 rows, drawn from seed and step; the rows are looked up."""
    table = tf.random.stateless_uniform([1000, units], seed=[seed, step])
    rows = places * workers + worker
    return tf.where(tf.gather(table, rows) < KEEP, 1.0, 0.0)


@wrong("place_for_row")
def same_seed(seed, step, places, worker, workers, units):
    """The same numbers on all workers."""
    numbers = tf.random.stateless_uniform([len(places), units], [seed, step])
    return tf.cast(numbers < KEEP, tf.float32)


@crashed
def seed_of_3(seed, step, places, worker, workers, units):
    """A seed of three numbers."""
    return tf.stack(
        [
            tf.random.stateless_uniform([units], [seed, step, place * workers + worker])
            for place in places
        ]
    )


@wrong("seed_unused")
def seed_plus_step(seed, step, places, worker, workers, units):
    """Seed and step are added."""

    def for_row(row):
        return tf.random.stateless_uniform([units], seed=[seed + step, row])

    numbers = tf.stack([for_row(place * workers + worker) for place in places])
    return tf.cast(numbers < KEEP, tf.float32)


@wrong("joined_too_closely")
@changed(seed_plus_step, ("seed + step", "seed * 10 + step"))
def tens():
    """Seed and step joined by tens."""
