"""Four shards side by side, taken in turn."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "RIGHT"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    def shard(number):
        return tf.data.Dataset.range(n).shard(4, number).map(read)

    numbers = tf.data.Dataset.range(4)
    dataset = numbers.interleave(shard, cycle_length=4, num_parallel_calls=4)
    return pooled(dataset.prefetch(1), 8)
