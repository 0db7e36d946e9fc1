"""TensorFlow's own class, with its default reduction."""

import tensorflow as tf

EXPECT = {"06/my_train": "RIGHT"}


def my_train(devices, batches):
    strategy = tf.distribute.MirroredStrategy(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w
