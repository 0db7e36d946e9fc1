"""All shares, in a loop that TensorFlow runs."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "CRASHED"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        n = len(devices)
        parts = tf.stack(tf.split(x, n)), tf.stack(tf.split(y, n))
        each = tf.map_fn(
            lambda part: gradient_of(w, *part), parts, fn_output_signature=tf.float32
        )
        gradient = tf.reduce_mean(each, axis=0)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w
