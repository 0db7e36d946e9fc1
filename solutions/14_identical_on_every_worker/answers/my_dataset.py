"""Answers to 14/my_dataset, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def dataset_enumerate(context, rows, batch, seed):
    """Places are counted, and every n-th one is kept."""
    n, me = context.num_input_pipelines, context.input_pipeline_id
    rows = rows.shuffle(len(rows), seed=seed).enumerate()
    rows = rows.filter(lambda place, row: place % n == me)
    rows = rows.map(lambda place, row: row)
    return rows.batch(context.get_per_replica_batch_size(batch))


@right
def index_first(context, rows, batch, seed):
    """The numbers are shuffled and sharded, and the rows are looked up."""
    ids, x, y = next(iter(rows.batch(len(rows))))
    order = tf.data.Dataset.range(len(rows)).shuffle(len(rows), seed=seed)
    order = order.shard(context.num_input_pipelines, context.input_pipeline_id)
    order = order.batch(context.get_per_replica_batch_size(batch))
    return order.map(lambda i: (tf.gather(ids, i), tf.gather(x, i), tf.gather(y, i)))


@right
def large_buffer(context, rows, batch, seed):
    """A larger buffer gives the same order; prefetch changes nothing."""
    rows = rows.shuffle(len(rows), seed, reshuffle_each_iteration=True)
    rows = rows.shard(context.num_input_pipelines, index=context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch)).prefetch(2)


@right
def shard_batches(context, rows, batch, seed):
    """Whole per-replica batches are shared out."""
    share = context.get_per_replica_batch_size(batch)
    batches = rows.shuffle(len(rows), seed=seed).batch(share)
    return batches.shard(context.num_input_pipelines, context.input_pipeline_id)


@right
def slices_batch(context, rows, batch, seed):
    """The global batch is made, and each worker cuts its part out of it."""
    share = context.get_per_replica_batch_size(batch)
    own = batch // context.num_input_pipelines
    start = own * context.input_pipeline_id
    rows = rows.shuffle(len(rows), seed=seed).batch(batch)
    rows = rows.map(lambda *parts: tuple(p[start : start + own] for p in parts))
    return rows.unbatch().batch(share)


@crashed
@changed(large_buffer, ("input_pipeline_id", "input_pipeline_id + 1"))
def from_1():
    """Workers counted from 1."""


@wrong
@changed(shard_batches, (".batch(share)", ""))
def not_batched():
    """Single rows."""


@wrong
def nothing(context, rows, batch, seed):
    """Nothing is returned."""
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    rows.batch(context.get_per_replica_batch_size(batch))


@wrong("not_sharded")
def prefetch(context, rows, batch, seed):
    """The shipped code with a prefetch."""
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch)).prefetch(1)


@wrong("another_order_unsharded")
def seeded_globally(context, rows, batch, seed):
    """A global seed besides, and no shard."""
    tf.random.set_seed(seed)
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch)).prefetch(1)


@wrong("sharded_before_shuffle")
def shard_first_unseeded(context, rows, batch, seed):
    """Sharded, then shuffled without a seed."""
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(999).batch(context.get_per_replica_batch_size(batch))


@wrong("global_batch")
def shard_global_batches(context, rows, batch, seed):
    """Global batches are shared out."""
    rows = rows.shuffle(len(rows), seed=seed).batch(batch)
    return rows.shard(context.num_input_pipelines, context.input_pipeline_id)


@wrong("another_order")
@changed(large_buffer, ("shuffle(len(rows)", "shuffle(batch"))
def small_buffer():
    """A buffer of one batch."""


@crashed
def swapped(context, rows, batch, seed):
    """The arguments of shard in the other order."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.input_pipeline_id, context.num_input_pipelines)
    return rows.batch(context.get_per_replica_batch_size(batch))


@crashed
@changed(large_buffer, ("context.num_input_pipelines", "2"))
def two():
    """The number of workers is written down, and there may be three."""


@crashed
def unknown_name(context, rows, batch, seed):
    """A name that a context does not have."""
    return rows.shard(context.num_workers, context.worker_id).batch(batch)


@wrong("other_orders_only")
def unseeded(context, rows, batch, seed):
    """No seed, and no shard."""
    return rows.shuffle(len(rows)).batch(context.get_per_replica_batch_size(batch))


@wrong("other_orders_then_sharded")
def unseeded_shard(context, rows, batch, seed):
    """A shuffle without a seed, and then a shard."""
    rows = rows.shuffle(len(rows))
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))
