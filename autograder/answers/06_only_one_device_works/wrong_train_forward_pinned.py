"""Only the loss is pinned."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "WRONG forward_on_the_first"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        with tf.GradientTape() as tape, tf.device("CPU:0"):
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        gradient = tape.gradient(loss, w)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w
