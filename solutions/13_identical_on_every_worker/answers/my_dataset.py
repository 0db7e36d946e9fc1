"""Answers to 13/my_dataset, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import crashed, right, wrong


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


@wrong("shared_by_row_number")
def by_id(context, rows, batch, seed):
    """A row goes to a worker by its number."""
    n, me = context.num_input_pipelines, context.input_pipeline_id
    rows = rows.shuffle(len(rows), seed=seed).filter(lambda i, x, y: i % n == me)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("sharded_by_replicas")
def by_replicas(context, rows, batch, seed):
    """One part for each replica."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("divided_by_workers")
def by_workers(context, rows, batch, seed):
    """As the document's example divides."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(batch // context.num_input_pipelines)


@wrong("one_order")
def cached(context, rows, batch, seed):
    """A cache keeps the first epoch's order."""
    rows = rows.shuffle(len(rows), seed=seed).cache()
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("tail_lost")
def drops(context, rows, batch, seed):
    """drop_remainder."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    share = context.get_per_replica_batch_size(batch)
    return rows.batch(share, drop_remainder=True)


@crashed
def from_1(context, rows, batch, seed):
    """Workers counted from 1."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id + 1)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("global_batch")
def dataset_global(context, rows, batch, seed):
    """The global batch for each replica."""
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.shard(context.num_input_pipelines, context.input_pipeline_id).batch(
        batch
    )


@wrong("global_batch_unsharded")
def global_unsharded(context, rows, batch, seed):
    """The global batch, and no shard."""
    return rows.shuffle(len(rows), seed=seed).batch(batch)


@wrong("consecutive_parts")
def halves(context, rows, batch, seed):
    """A long piece for each worker."""
    n, me = context.num_input_pipelines, context.input_pipeline_id
    size = (len(rows) + n - 1) // n
    rows = rows.shuffle(len(rows), seed=seed).skip(size * me).take(size)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("not_shuffled")
def no_shuffle(context, rows, batch, seed):
    """Shared out, but not shuffled."""
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@crashed
def not_batched(context, rows, batch, seed):
    """Single rows."""
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.shard(context.num_input_pipelines, context.input_pipeline_id)


@crashed
def nothing(context, rows, batch, seed):
    """Nothing is returned."""
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    rows.batch(context.get_per_replica_batch_size(batch))


@wrong("one_worker")
def one_worker(context, rows, batch, seed):
    """Worker 0 reads all, and the others nothing."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.take(len(rows) if context.input_pipeline_id == 0 else 0)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("another_order")
def other_seed(context, rows, batch, seed):
    """Equal seeds, but not the one that was given."""
    rows = rows.shuffle(len(rows), seed=42)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("not_sharded")
def prefetch(context, rows, batch, seed):
    """The shipped code with a prefetch."""
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch)).prefetch(1)


@wrong("endless")
def repeats(context, rows, batch, seed):
    """An epoch without an end."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch)).repeat()


@wrong("other_orders_only")
def seed_of_worker(context, rows, batch, seed):
    """As the document advises: another seed on each worker."""
    rows = rows.shuffle(len(rows), seed=seed + context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("other_orders_then_sharded")
def seed_of_worker_shard(context, rows, batch, seed):
    """Another seed on each worker, and then a shard."""
    rows = rows.shuffle(len(rows), seed=seed * 2 + context.input_pipeline_id)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("another_order_unsharded")
def seeded_globally(context, rows, batch, seed):
    """A global seed besides, and no shard."""
    tf.random.set_seed(seed)
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch)).prefetch(1)


@wrong("one_index")
def shard_0(context, rows, batch, seed):
    """All take shard 0."""
    rows = rows.shuffle(len(rows), seed=seed).shard(context.num_input_pipelines, 0)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("sharded_before_shuffle")
def shard_first(context, rows, batch, seed):
    """Sharded, then shuffled: sound, but not the sequential batches."""
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch))


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
def small_buffer(context, rows, batch, seed):
    """A buffer of one batch."""
    rows = rows.shuffle(batch, seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@crashed
def swapped(context, rows, batch, seed):
    """The arguments of shard in the other order."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.input_pipeline_id, context.num_input_pipelines)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("sharded_twice")
def twice(context, rows, batch, seed):
    """Sharded twice."""
    n, me = context.num_input_pipelines, context.input_pipeline_id
    rows = rows.shuffle(len(rows), seed=seed).shard(n, me)
    return rows.shard(n, me).batch(context.get_per_replica_batch_size(batch))


@crashed
def two(context, rows, batch, seed):
    """The number of workers is written down, and there may be three."""
    rows = rows.shuffle(len(rows), seed=seed).shard(2, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


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
