"""Wrong answers to 14/my_dataset: each is the mistake of its name."""

from __future__ import annotations

import tensorflow as tf

from course.checks.exercises import wrong_answers

Context, Dataset = tf.distribute.InputContext, tf.data.Dataset


def _shuffled(rows: Dataset, seed: int) -> Dataset:
    return rows.shuffle(len(rows), seed=seed)


def _part(context: Context, rows: Dataset) -> Dataset:
    return rows.shard(context.num_input_pipelines, context.input_pipeline_id)


def _batched(context: Context, rows: Dataset, batch: int) -> Dataset:
    return rows.batch(context.get_per_replica_batch_size(batch))


def not_sharded(context, rows, batch, seed) -> Dataset:
    """Nothing in the function depends on which worker calls it, so all workers read the
    same rows in the same order. They agree, and an epoch has twice the steps, of half
    the rows.
    """
    return _batched(context, _shuffled(rows, seed), batch)


def other_orders_only(context, rows, batch, seed) -> Dataset:
    """Each worker shuffles in an order of its own, and still reads all rows. Another
    order is no part: every row is read once by each worker.
    """
    return _batched(context, _shuffled(rows, seed + context.input_pipeline_id), batch)


def other_orders_then_sharded(context, rows, batch, seed) -> Dataset:
    """The workers shuffle in different orders (another seed, or none) and then take
    parts of them. Parts of different orders overlap: some rows come twice, others
    never. The seed before a shard must be the same everywhere.
    """
    own = 2 * seed + context.input_pipeline_id
    return _batched(context, _part(context, _shuffled(rows, own)), batch)


def sharded_before_shuffle(context, rows, batch, seed) -> Dataset:
    """The rows are shared out before they are shuffled. Each row is read once, so this
    is a sound training, but not this one: a worker always has the same rows, and a
    step's rows are not the sequential batch.
    """
    return _batched(context, _shuffled(_part(context, rows), seed), batch)


def shared_by_row_number(context, rows, batch, seed) -> Dataset:
    """A row goes to a worker by its number, not by its place in the shuffled order.
    Each row is read once, but a step's rows are not those of the sequential batch, and
    a worker always has the same ones.
    """
    n, me = context.num_input_pipelines, context.input_pipeline_id
    own = _shuffled(rows, seed).filter(lambda row, x, y: row % n == me)
    return _batched(context, own, batch)


def sharded_by_replicas(context, rows, batch, seed) -> Dataset:
    """The rows are cut into one part for each REPLICA, and the function is called once
    for each WORKER: where a worker has several replicas, parts are lost.
    context.num_input_pipelines is the number to shard by.
    """
    replicas, me = context.num_replicas_in_sync, context.input_pipeline_id
    return _batched(context, _shuffled(rows, seed).shard(replicas, me), batch)


def one_index(context, rows, batch, seed) -> Dataset:
    """All workers take the same shard: the number of the worker is missing in it."""
    first = _shuffled(rows, seed).shard(context.num_input_pipelines, 0)
    return _batched(context, first, batch)


def global_batch(context, rows, batch, seed) -> Dataset:
    """Each replica takes a batch of the global size, so that a step has as many times
    too many rows as there are replicas.
    """
    return _part(context, _shuffled(rows, seed)).batch(batch)


def global_batch_unsharded(context, rows, batch, seed) -> Dataset:
    """Each replica takes a batch of the global size, and all workers read the same one:
    one device's weights, but nothing is shared, and each row is read by everyone.
    """
    return _shuffled(rows, seed).batch(batch)


def divided_by_workers(context, rows, batch, seed) -> Dataset:
    """The batch is divided by the number of workers. That is right while each worker
    has one replica; context.get_per_replica_batch_size knows.
    """
    own = _part(context, _shuffled(rows, seed))
    return own.batch(batch // context.num_input_pipelines)


def consecutive_parts(context, rows, batch, seed) -> Dataset:
    """Each worker takes one long piece of the shuffled order. Each row is read once,
    but a step then has rows from all pieces, and not the next batch of the sequential
    run.
    """
    size = -(-len(rows) // context.num_input_pipelines)
    own = _shuffled(rows, seed).skip(size * context.input_pipeline_id).take(size)
    return _batched(context, own, batch)


def tail_lost(context, rows, batch, seed) -> Dataset:
    """Drop_remainder drops the rows of the last, smaller batch."""
    share = context.get_per_replica_batch_size(batch)
    return _part(context, _shuffled(rows, seed)).batch(share, drop_remainder=True)


def not_shuffled(context, rows, batch, seed) -> Dataset:
    """The rows are shared out, but no longer shuffled."""
    return _batched(context, _part(context, rows), batch)


def one_order(context, rows, batch, seed) -> Dataset:
    """The rows are shuffled once, and every epoch has that same order (kept by a cache,
    or by reshuffle_each_iteration=False).
    """
    return _batched(context, _part(context, _shuffled(rows, seed).cache()), batch)


def another_order(context, rows, batch, seed) -> Dataset:
    """The rows are shared out soundly, but in another order than that of
    rows.shuffle(len(rows), seed=seed): another seed or another buffer.
    """
    return _batched(context, _part(context, _shuffled(rows, seed + 1)), batch)


def another_order_unsharded(context, rows, batch, seed) -> Dataset:
    """All workers read all rows in the same order, and it is not that of
    rows.shuffle(len(rows), seed=seed) either.
    """
    return _batched(context, _shuffled(rows, seed + 1), batch)


def sharded_twice(context, rows, batch, seed) -> Dataset:
    """The rows are sharded twice: each worker keeps a part of its part, and the rest is
    lost.
    """
    own = _part(context, _part(context, _shuffled(rows, seed)))
    return _batched(context, own, batch)


def one_worker(context, rows, batch, seed) -> Dataset:
    """One worker reads all rows, and the others none."""
    own = _shuffled(rows, seed).take(0 if context.input_pipeline_id else len(rows))
    return _batched(context, own, batch)


def endless(context, rows, batch, seed) -> Dataset:
    """Repeat starts again after the last row, for ever. An epoch has an end."""
    own = _part(context, _shuffled(rows, seed))
    return _batched(context, own, batch).repeat()


MISTAKES = wrong_answers(__name__)
