"""Answers to 04/my_mask, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong

KEEP = 0.75


def few(units, seed):
    numbers = tf.random.stateless_uniform([4], seed)
    return tf.tile(numbers, [units // 4])


def pairs(units, seed):
    numbers = tf.random.stateless_uniform([units // 2], seed)
    return tf.repeat(numbers, 2)


@right
def fold_in(step, ids, units):
    """A seed that is folded twice."""

    def for_row(row):
        seed = tf.random.fold_in(tf.random.fold_in([3, 4], step), row)
        return tf.random.stateless_uniform([units], seed=seed)

    numbers = tf.map_fn(for_row, ids, fn_output_signature=tf.float32)
    return tf.where(numbers < KEEP, 1, 0)


@right
def mask_map(step, ids, units):
    """One stateless draw for every row."""

    def for_row(row):
        return tf.random.stateless_uniform([units], seed=[step, row])

    numbers = tf.map_fn(for_row, ids, fn_output_signature=tf.float32)
    return tf.cast(numbers < KEEP, tf.float32)


@right
def mask_table(step, ids, units):
    """A table for all rows of the step; take the own ones."""
    table = tf.random.stateless_uniform([1000, units], seed=[0, step])
    return tf.gather(table, ids) < KEEP


@right
@changed(mask_map, ("seed=[step, row]", "seed=[7, step * 1000 + row]"))
def thousand():
    """One number that holds both: rows are below 1000."""


@right
def vectorized(step, ids, units):
    """All rows at once with vectorized_map."""

    def for_row(row):
        return tf.random.stateless_uniform([units], seed=tf.stack([row, step]))

    return tf.cast(tf.vectorized_map(for_row, ids) < KEEP, tf.float32)


@wrong("same_on_all_replicas")
def step_only(step, ids, units):
    """The step as the seed of all replicas."""
    numbers = tf.random.stateless_uniform([tf.size(ids), units], seed=[step, 0])
    return tf.cast(numbers < KEEP, tf.float32)


@wrong("by_replica")
def by_replica(step, ids, units):
    """The number of the replica in the seed."""
    context = tf.distribute.get_replica_context()
    seed = [step, context.replica_id_in_sync_group]
    numbers = tf.random.stateless_uniform([tf.size(ids), units], seed=seed)
    return tf.cast(numbers < KEEP, tf.float32)


@wrong("constant_seed")
@changed(step_only, ("seed=[step, 0]", "seed=[1, 2]"))
def constant_seed():
    """A constant seed."""


@wrong("colliding_seeds")
@changed(mask_map, ("seed=[step, row]", "seed=[10 * step + row, 0]"))
def decimal():
    """Step and row as digits of one number; row 12 is no digit."""


@wrong("fixed_count")
def exact_share(step, ids, units):
    """Exactly three quarters of every row are kept."""

    def for_row(row):
        numbers = tf.random.stateless_uniform([units], seed=[step, row])
        places = tf.argsort(tf.argsort(numbers))
        return tf.cast(places < int(KEEP * units), tf.float32)

    return tf.map_fn(for_row, ids, fn_output_signature=tf.float32)


@wrong("other_rate")
@changed(mask_map, ("numbers < KEEP", "numbers < 0.7"))
def nearly():
    """Another probability, near the right one."""


@wrong("other_rate")
@changed(mask_map, ("numbers < KEEP", "numbers < 0.5"))
def half():
    """Another probability."""


@wrong("units_alike")
@changed(
    mask_map,
    ("tf.random.stateless_uniform([units], seed=", "few(units, "),
)
def tiled():
    """Four numbers for a row, tiled: some rows are all ones."""


@wrong("units_alike")
@changed(
    mask_map,
    ("tf.random.stateless_uniform([units], seed=", "pairs(units, "),
)
def repeated():
    """One number for two neighbouring units."""


@wrong("colliding_seeds")
@changed(mask_map, ("seed=[step, row]", "seed=[7, step * 100 + row]"))
def hundred():
    """One number, with too small a factor for the step."""


@wrong("colliding_seeds")
@changed(mask_map, ("seed=[step, row]", "seed=[7, row * 100 + step]"))
def hundred_steps():
    """One number, with too small a factor for the row."""


@wrong("no_dropout")
def no_dropout(step, ids, units):
    """Keep everything: equal everywhere."""
    return tf.ones([tf.size(ids), units])


@wrong
@changed(mask_map, ("return tf.cast(numbers < KEEP, tf.float32)", ""))
def no_return():
    """Nothing is returned."""


@wrong("frozen")
def numpy(step, ids, units):
    """A table drawn by NumPy while tracing."""
    table = (np.random.rand(1000, units) < KEEP).astype(np.float32)
    return tf.gather(tf.constant(table), ids)


@wrong("frozen_for_all_rows")
def numpy_map(step, ids, units):
    """NumPy's numbers, traced once in map_fn."""

    def for_row(row):
        return tf.cast(np.random.random(units) < KEEP, tf.float32)

    return tf.map_fn(for_row, ids, fn_output_signature=tf.float32)


@wrong("frozen_in_the_shard")
def numpy_shard(step, ids, units):
    """NumPy's numbers for the rows of a shard."""
    return tf.cast(np.random.random((ids.shape[0], units)) < KEEP, tf.float32)


@wrong("one_mask_for_all_rows")
def one_for_all(step, ids, units):
    """One mask for all rows of the step."""
    numbers = tf.random.stateless_uniform([1, units], seed=[step, 0])
    return tf.tile(tf.cast(numbers < KEEP, tf.float32), [tf.size(ids), 1])


@wrong("operation_seed")
@changed(step_only, ("stateless_uniform", "uniform"), ("seed=[step, 0]", "seed=7"))
def operation_seed():
    """seed= of the operation."""


@wrong("fixed_pattern")
def pattern(step, ids, units):
    """No random numbers: every fourth unit is dropped."""
    place = 7 * step + 3 * ids[:, None] + tf.range(units)[None]
    return tf.cast(place % 4 != 0, tf.float32)


@wrong("product_of_step_and_row")
@changed(mask_map, ("seed=[step, row]", "seed=[step * row, 0]"))
def product():
    """Step times row."""


@crashed
def python_loop(step, ids, units):
    """A Python loop over a tensor of unknown length."""
    masks = [tf.random.stateless_uniform([units], seed=[step, row]) for row in ids]
    return tf.cast(tf.stack(masks) < KEEP, tf.float32)


@wrong("raw_numbers")
@changed(mask_map, ("tf.cast(numbers < KEEP, tf.float32)", "numbers"))
def raw():
    """Numbers that are compared with nothing."""


@wrong("row_only")
@changed(
    mask_map,
    ("tf.random", "tf.roll(tf.random"),
    ("seed=[step, row])", "seed=[0, row]), step, 0)"),
)
def rolled():
    """One mask for a row, moved along by the step."""


@wrong("row_in_part")
@changed(mask_map, ("seed=[step, row]", "seed=[step, row % 64]"))
def row_modulo():
    """A part of the row's number."""


@wrong("row_only")
@changed(mask_map, ("seed=[step, row]", "seed=[row, 7]"))
def row_only():
    """The row without the step."""


@wrong("scaled")
@changed(mask_map, ("KEEP, tf.float32)", "KEEP, tf.float32) / KEEP"))
def scaled():
    """Scaled already."""


@wrong("set_seed_inside")
def set_seed(step, ids, units):
    """The global seed, set inside."""
    tf.random.set_seed(7)
    numbers = tf.random.uniform([tf.size(ids), units])
    return tf.cast(numbers < KEEP, tf.float32)


@wrong
@changed(mask_map, ("[units]", "[]"))
def shape():
    """One number for each row, without the units."""


@wrong("moved_masks")
def shifted(step, ids, units):
    """One long row of numbers, read from neighbouring places: a pattern."""
    long = tf.random.stateless_uniform([1000 + units], seed=[step, 0])
    places = ids[:, None] + tf.range(units)[None]
    return tf.cast(tf.gather(long, places) < KEEP, tf.float32)


@wrong("stateful")
def stateful(step, ids, units):
    """tf.nn.dropout on ones: still the same kind of source."""
    ones = tf.ones([tf.size(ids), units])
    return tf.cast(tf.nn.dropout(ones, 1 - KEEP) > 0, tf.float32)


@wrong("row_only")
@changed(mask_map, ("seed=[step, row]", "seed=[step % 5, row]"))
def step_modulo():
    """A part of the step's number."""


@wrong("colliding_seeds")
@changed(mask_map, ("seed=[step, row]", "seed=[step + row, 0]"))
def mask_sum():
    """Step and row added up."""


@wrong("rate_swapped")
@changed(mask_map, ("numbers < KEEP", "numbers > KEEP"))
def swapped():
    """Keep what should be dropped."""


@wrong("operation_seed")
@changed(mask_map, ("stateless_uniform", "uniform"), (", seed=[step, row]", ""))
def unseeded_map():
    """map_fn without a seed: replicas start alike."""


@wrong("one_number_for_a_row")
def whole_rows(step, ids, units):
    """One number decides for the row."""

    def for_row(row):
        return tf.random.stateless_uniform([1], seed=[step, row])

    numbers = tf.map_fn(for_row, ids, fn_output_signature=tf.float32)
    return tf.tile(tf.cast(numbers < KEEP, tf.float32), [1, units])
