"""Answers to 01/my_blocks, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import right, wrong


@right
def interleaves(data, rows, batch, replicas):
    """A share of each block in turn."""
    block = rows // replicas
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.skip(r * block).take(block),
        cycle_length=replicas,
        block_length=batch // replicas,
    )


@right
def zips(data, rows, batch, replicas):
    """The shares of all blocks side by side, then one behind the other."""
    block, share = rows // replicas, batch // replicas
    blocks = [data.skip(r * block).take(block).batch(share) for r in range(replicas)]
    steps = tf.data.Dataset.zip(tuple(blocks))
    return steps.map(lambda *parts: tf.concat(parts, 0)).unbatch()


@right
def lists(data, rows, batch, replicas):
    """The order as a list, and a dataset of it."""
    block, share, order = rows // replicas, batch // replicas, []
    for first in range(0, block, share):
        for r in range(replicas):
            order += range(r * block + first, r * block + min(first + share, block))
    return tf.data.Dataset.from_tensor_slices(order)


@right
def sorts(data, rows, batch, replicas):
    """NumPy: sort by the step, then by the row."""
    ids = np.arange(rows)
    step = ids % (rows // replicas) // (batch // replicas)
    return tf.data.Dataset.from_tensor_slices(ids[np.lexsort((ids, step))])


@wrong("as_they_come")
def blocks_one_after_the_other(data, rows, batch, replicas):
    """Cut blocks, and put them together again."""
    block = rows // replicas
    first = data.take(block)
    for r in range(1, replicas):
        first = first.concatenate(data.skip(r * block).take(block))
    return first


@wrong("by_index")
def shards(data, rows, batch, replicas):
    """A shard for each replica, a share of each in turn."""
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.shard(replicas, r),
        cycle_length=replicas,
        block_length=batch // replicas,
    )


@wrong("one_row_in_turn")
def row_by_row(data, rows, batch, replicas):
    """A row of each block in turn."""
    block = rows // replicas
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.skip(r * block).take(block), cycle_length=replicas
    )


@wrong("whole_batch_in_turn")
def batch_by_batch(data, rows, batch, replicas):
    """A whole batch of each block in turn."""
    block = rows // replicas
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.skip(r * block).take(block),
        cycle_length=replicas,
        block_length=batch,
    )


def woven(parts, share):
    longest = max(map(len, parts))
    return [
        row
        for first in range(0, longest, share)
        for part in parts
        for row in part[first : first + share]
    ]


@wrong("blocks_of_a_batch")
def batches_in_turn(data, rows, batch, replicas):
    """Each replica takes a batch of its own."""
    cut, order = [range(rows)[i : i + batch] for i in range(0, rows, batch)], []
    for i in range(0, len(cut), replicas):
        order += woven(cut[i : i + replicas], batch // replicas)
    return tf.data.Dataset.from_tensor_slices(order)


@wrong("replicas_turned_round")
def last_block_first(data, rows, batch, replicas):
    """The blocks from the last to the first."""
    block = rows // replicas
    parts = [range(rows)[r * block : r * block + block] for r in range(replicas)]
    order = woven(parts[::-1], batch // replicas)
    return tf.data.Dataset.from_tensor_slices(order)


@wrong("rows_lost")
def drops_the_rest(data, rows, batch, replicas):
    """Full shares only."""
    block, share = rows // replicas, batch // replicas
    blocks = [
        data.skip(r * block).take(block).batch(share, drop_remainder=True)
        for r in range(replicas)
    ]
    steps = tf.data.Dataset.zip(tuple(blocks))
    return steps.map(lambda *parts: tf.concat(parts, 0)).unbatch()


@wrong("blocks_too_short")
def counts_full_steps(data, rows, batch, replicas):
    """As many full steps as there are, and blocks of so many shares."""
    share = batch // replicas
    block = rows // batch * share
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.skip(r * block).take(block),
        cycle_length=replicas,
        block_length=share,
    )


@wrong("rest_in_order")
def rest_behind(data, rows, batch, replicas):
    """Full steps, and what is left over behind them."""
    full, share = rows // batch * batch, batch // replicas
    block = full // replicas
    parts = [range(full)[r * block : r * block + block] for r in range(replicas)]
    order = [*woven(parts, share), *range(full, rows)]
    return tf.data.Dataset.from_tensor_slices(order)


@wrong("blocks_too_long")
def rounds_up(data, rows, batch, replicas):
    """Blocks of whole shares, rounded up."""
    share = batch // replicas
    block = -(-rows // batch) * share
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.skip(r * block).take(block),
        cycle_length=replicas,
        block_length=share,
    )


@wrong("equal_steps")
def equal_parts(data, rows, batch, replicas):
    """As many rows in each step, rounded up."""
    block, steps = rows // replicas, -(-rows // batch)
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.skip(r * block).take(block),
        cycle_length=replicas,
        block_length=-(-block // steps),
    )


@wrong("blocks_without_end")
def never_takes(data, rows, batch, replicas):
    """Skip to the block, and read on to the end."""
    block = rows // replicas
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.skip(r * block),
        cycle_length=replicas,
        block_length=batch // replicas,
    )


@wrong("two_blocks")
def halves(data, rows, batch, replicas):
    """Half of the rows for each, as in the picture."""
    block = rows // 2
    return tf.data.Dataset.range(replicas).interleave(
        lambda r: data.skip(r * block).take(block),
        cycle_length=replicas,
        block_length=batch // replicas,
    )


@wrong("never_ends")
def repeats(data, rows, batch, replicas):
    """The rows, for ever."""
    return data.repeat()


@wrong
def shuffles(data, rows, batch, replicas):
    """Any order: no known mistake."""
    return data.shuffle(rows, seed=3)


@wrong
def batches_already(data, rows, batch, replicas):
    """Batches instead of single rows."""
    return data.batch(batch)


@wrong
def list_of_rows(data, rows, batch, replicas):
    """A list instead of a dataset."""
    return list(range(rows))
