"""The numbers are shuffled and sharded, and the rows are looked up."""

import tensorflow as tf

EXPECT = {"13/my_dataset": "RIGHT"}


def my_dataset(context, rows, batch, seed):
    ids, x, y = next(iter(rows.batch(len(rows))))
    order = tf.data.Dataset.range(len(rows)).shuffle(len(rows), seed=seed)
    order = order.shard(context.num_input_pipelines, context.input_pipeline_id)
    order = order.batch(context.get_per_replica_batch_size(batch))
    return order.map(lambda i: (tf.gather(ids, i), tf.gather(x, i), tf.gather(y, i)))
