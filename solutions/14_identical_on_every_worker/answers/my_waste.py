"""Answers to 14/my_waste, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import right, wrong


@right
def own_part_first(context, rows, batch, seed):
    """Each worker begins with another row of the batch, and reads all of it."""
    rows = rows.shuffle(len(rows), seed=seed).batch(batch)
    turn = context.input_pipeline_id
    return rows.map(lambda *parts: tuple(tf.roll(p, turn, 0) for p in parts))


@right
def as_often_as_there_are_workers(context, rows, batch, seed):
    """The share of a worker, times the workers."""
    share = context.get_per_replica_batch_size(batch)
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(share * context.num_input_pipelines)


@wrong("small_batches")
def prefetched(context, rows, batch, seed):
    """The shipped code, and a prefetch."""
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch)).prefetch(1)


@wrong("shared")
def sharded(context, rows, batch, seed):
    """The right program of a job that shares the work."""
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@wrong("own_orders")
def no_seed(context, rows, batch, seed):
    """Global batches, each worker in an order of its own."""
    return rows.shuffle(len(rows)).batch(batch)


@wrong
def batches_shared_out(context, rows, batch, seed):
    """Whole per-replica batches are shared out."""
    share = context.get_per_replica_batch_size(batch)
    batches = rows.shuffle(len(rows), seed=seed).batch(share)
    return batches.shard(context.num_input_pipelines, context.input_pipeline_id)
