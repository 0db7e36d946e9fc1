"""Answers to 01/my_input, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import crashed, right, wrong


@right
def asks_the_context(context, data, batch):
    """Ask the context for the share."""
    return data.batch(context.get_per_replica_batch_size(batch))


@right
def divides(context, data, batch):
    """Divide by the number of replicas."""
    return data.batch(batch // context.num_replicas_in_sync)


@right
def rebatches(context, data, batch):
    """Cut global batches into shares."""
    return data.batch(batch).rebatch(batch // context.num_replicas_in_sync)


@right
def shards_by_pipelines(context, data, batch):
    """Shard by input pipelines, as for several of them; then the share."""
    own = data.shard(context.num_input_pipelines, context.input_pipeline_id)
    return own.batch(context.get_per_replica_batch_size(batch)).prefetch(2)


@crashed
def batches_twice(context, data, batch):
    """Batches of batches."""
    return data.batch(batch).batch(context.get_per_replica_batch_size(batch))


@wrong("tail_lost_global_batch")
def drops_and_global(context, data, batch):
    """Global batches, without the last rows."""
    return data.batch(batch, drop_remainder=True)


@wrong("tail_lost")
def drops_the_tail(context, data, batch):
    """The share, without the last rows."""
    share = context.get_per_replica_batch_size(batch)
    return data.batch(share, drop_remainder=True)


@wrong("filled_up")
def fills_up(context, data, batch):
    """The last batch gets rows from the beginning, so that all are full."""
    missing = -int(data.cardinality()) % batch
    filled = data.concatenate(data.repeat().take(missing))
    return filled.batch(context.get_per_replica_batch_size(batch))


@wrong("global_batch_to_each")
def global_batch(context, data, batch):
    """Divide by the number of pipelines, which is one."""
    return data.batch(batch // context.num_input_pipelines)


@crashed
def input_list(context, data, batch):
    """A list instead of a dataset."""
    return [data.batch(batch)] * context.num_replicas_in_sync


@wrong("batch_times_replicas")
def multiplies(context, data, batch):
    """Multiply instead of dividing."""
    return data.batch(batch * context.num_replicas_in_sync)


@wrong("not_batched")
def not_batched(context, data, batch):
    """Single rows."""
    return data


@crashed
def number(context, data, batch):
    """The number instead of the dataset."""
    return context.get_per_replica_batch_size(batch)


@wrong("batches_of_one")
def ones(context, data, batch):
    """Batches of one row."""
    return data.batch(1)


@wrong("never_ends")
def repeats(context, data, batch):
    """The share, for ever."""
    return data.batch(batch // context.num_replicas_in_sync).repeat()


@wrong("sharded_by_replicas_global_batch")
def shards_and_global(context, data, batch):
    """A shard for each replica, in global batches."""
    own = data.shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return own.batch(batch)


@wrong("batches_sharded")
def shards_batches(context, data, batch):
    """Batch by the share, then shard the batches."""
    cut = data.batch(batch // context.num_replicas_in_sync)
    return cut.shard(context.num_replicas_in_sync, context.input_pipeline_id)


@wrong("sharded_by_replicas")
def shards_by_replicas(context, data, batch):
    """A shard for each replica, though the function is called once."""
    own = data.shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return own.batch(context.get_per_replica_batch_size(batch))


@wrong("batches_sharded_global_batch")
def shards_global_batches(context, data, batch):
    """Global batches, then every n-th of them."""
    return data.batch(batch).shard(context.num_replicas_in_sync, 0)


@wrong
def skips(context, data, batch):
    """Lose the first row: no known mistake."""
    return data.skip(1).batch(batch // context.num_replicas_in_sync)


@crashed
def wrong_name(context, data, batch):
    """A name that the context does not have."""
    return data.batch(batch // context.num_replicas)


@wrong
def padded(context, data, batch):
    """Fill the last batch up with row 0."""
    share = batch // context.num_replicas_in_sync
    cut = data.batch(share)
    return cut.map(lambda rows: tf.pad(rows, [[0, share - tf.shape(rows)[0]]]))


@wrong
def turned_round(context, data, batch):
    """The batches of each half change places: right rows, other steps."""
    share = batch // context.num_replicas_in_sync
    first = data.take(batch).batch(share)
    second = data.skip(batch).take(batch).batch(share)
    return second.concatenate(first).concatenate(data.skip(2 * batch).batch(share))
