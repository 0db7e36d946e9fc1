"""A global seed besides, and no shard."""

import tensorflow as tf

EXPECT = {"13/my_dataset": "WRONG another_order_unsharded"}


def my_dataset(context, rows, batch, seed):
    tf.random.set_seed(seed)
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch)).prefetch(1)
