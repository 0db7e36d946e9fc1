"""Answers to 01/my_shards, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import right, wrong


@right
def shards_blocks(data, rows, replicas):
    """Consecutive blocks, each shuffled."""
    share = -(-rows // replicas)
    blocks = [data.skip(share * i).take(share) for i in range(replicas)]
    return [block.shuffle(share) for block in blocks]


@right
def equal_seeds(data, rows, replicas):
    """A shuffle for each shard, all with one seed."""
    return [data.shuffle(rows, seed=7).shard(replicas, i) for i in range(replicas)]


@right
def shards_filter(data, rows, replicas):
    """Filter by the row number, then shuffle with seeds that differ."""

    def own(i):
        return data.filter(lambda row: row % replicas == i)

    return [own(i).shuffle(rows, seed=i) for i in range(replicas)]


@right
def shard_first(data, rows, replicas):
    """Shard while the order is fixed, then shuffle."""
    return [data.shard(replicas, i).shuffle(rows) for i in range(replicas)]


@wrong
def batched(data, rows, replicas):
    """Batches in the shards."""
    return [data.shard(replicas, i).shuffle(rows).batch(2) for i in range(replicas)]


@wrong("same_order_every_epoch")
def cached(data, rows, replicas):
    """One order, kept in a cache."""
    mixed = data.shuffle(rows).cache()
    return [mixed.shard(replicas, i) for i in range(replicas)]


@wrong
def one_dataset(data, rows, replicas):
    """One dataset instead of a list."""
    return data.shard(replicas, 0).shuffle(rows)


@wrong("own_order_in_each_shard")
def seeded(data, rows, replicas):
    """One shuffled dataset with a seed."""
    mixed = data.shuffle(rows, seed=1)
    return [mixed.shard(replicas, i) for i in range(replicas)]


@wrong("own_order_in_each_shard")
def seeds_differ(data, rows, replicas):
    """A shuffle for each shard, each with its own seed."""
    return [data.shuffle(rows, seed=i).shard(replicas, i) for i in range(replicas)]


@wrong
def unfair(data, rows, replicas):
    """Nearly all rows in the last shard: no known mistake."""
    small = [data.skip(i).take(1) for i in range(replicas - 1)]
    return [*small, data.skip(replicas - 1).shuffle(rows)]


@wrong("own_order_in_each_shard")
def halves(data, rows, replicas):
    """Cut one shuffled dataset by skip and take."""
    mixed, share = data.shuffle(rows), -(-rows // replicas)
    return [mixed.skip(share * i).take(share) for i in range(replicas)]


def turned(shard, low, high):
    places = tf.data.Dataset.random(rerandomize_each_iteration=True).take(1)
    places = places.map(lambda n: low + n % (high - low))
    return places.flat_map(lambda n: shard.skip(n).concatenate(shard.take(n)))


@wrong
def rotated(data, rows, replicas):
    """Each epoch begins at another row, and goes round."""
    return [turned(data.shard(replicas, i), 7, 18) for i in range(replicas)]


@wrong
def rotated_a_little(data, rows, replicas):
    """Each epoch begins at one of the first rows, and goes round."""
    return [turned(data.shard(replicas, i), 0, 3) for i in range(replicas)]
