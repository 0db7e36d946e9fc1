"""A Keras variable of shape (2, 1)."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "RIGHT"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.keras.Variable([[0.0], [0.0]])

    def replica_step(x, y):
        gradient = gradient_of(tf.reshape(w, [2]), x, y)
        context = tf.distribute.get_replica_context()
        mean = context.all_reduce("MEAN", gradient)
        w.value.assign_sub(LEARNING_RATE * tf.reshape(mean, [2, 1]))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w
