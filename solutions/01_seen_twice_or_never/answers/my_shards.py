"""Answers to 01/my_shards, right and wrong, and what the check says of each."""

from autograder.answers import crashed, right, wrong


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


@wrong("all_rows_in_each_not_shuffled")
def all_in_order(data, rows, replicas):
    """All rows for everybody, in order."""
    return [data.skip(0 * i) for i in range(replicas)]


@wrong("all_rows_in_each")
def all_rows(data, rows, replicas):
    """All rows for everybody."""
    return [data.shuffle(rows, seed=i) for i in range(replicas)]


@crashed
def batched(data, rows, replicas):
    """Batches in the shards."""
    return [data.shard(replicas, i).shuffle(rows).batch(2) for i in range(replicas)]


@wrong("same_order_every_epoch")
def cached(data, rows, replicas):
    """One order, kept in a cache."""
    mixed = data.shuffle(rows).cache()
    return [mixed.shard(replicas, i) for i in range(replicas)]


@wrong("same_order_every_epoch")
def kept_order(data, rows, replicas):
    """One order, drawn once."""
    mixed = data.shuffle(rows, seed=1, reshuffle_each_iteration=False)
    return [mixed.shard(replicas, i) for i in range(replicas)]


@wrong("not_shuffled")
def not_shuffled(data, rows, replicas):
    """Shards, not shuffled."""
    return [data.shard(replicas, i) for i in range(replicas)]


@crashed
def one_dataset(data, rows, replicas):
    """One dataset instead of a list."""
    return data.shard(replicas, 0).shuffle(rows)


@wrong("one_index_for_all")
def one_index(data, rows, replicas):
    """Shard 0 for everybody, shuffled."""
    return [data.shard(replicas, 0 * i).shuffle(rows) for i in range(replicas)]


@wrong("one_index_for_all_not_shuffled")
def one_index_in_order(data, rows, replicas):
    """Shard 0 for everybody."""
    return [data.shard(replicas, 0 * i) for i in range(replicas)]


@wrong("own_order_kept")
def own_orders_kept(data, rows, replicas):
    """For each shard an order of its own, drawn once."""
    return [
        data.shuffle(rows, reshuffle_each_iteration=False).shard(replicas, i)
        for i in range(replicas)
    ]


@wrong("own_order_in_each_shard")
def own_shuffles(data, rows, replicas):
    """A shuffle for each shard, without a seed."""
    return [data.shuffle(rows).shard(replicas, i) for i in range(replicas)]


@wrong("never_ends")
def repeat(data, rows, replicas):
    """Repeat before the shard."""
    return [data.repeat().shard(replicas, i).shuffle(rows) for i in range(replicas)]


@wrong("own_order_in_each_shard")
def seeded(data, rows, replicas):
    """One shuffled dataset with a seed."""
    mixed = data.shuffle(rows, seed=1)
    return [mixed.shard(replicas, i) for i in range(replicas)]


@wrong("own_order_in_each_shard")
def seeds_differ(data, rows, replicas):
    """A shuffle for each shard, each with its own seed."""
    return [data.shuffle(rows, seed=i).shard(replicas, i) for i in range(replicas)]


@wrong("hardly_mixed")
def small_buffer(data, rows, replicas):
    """A buffer of two rows."""
    return [data.shard(replicas, i).shuffle(2) for i in range(replicas)]


@wrong("rows_lost")
def tail_lost(data, rows, replicas):
    """Blocks of equal size; the rest is in none."""
    share = rows // replicas
    return [data.skip(share * i).take(share).shuffle(share) for i in range(replicas)]


@wrong
def unfair(data, rows, replicas):
    """Nearly all rows in the last shard: no known mistake."""
    small = [data.skip(i).take(1) for i in range(replicas - 1)]
    return [*small, data.skip(replicas - 1).shuffle(rows)]
