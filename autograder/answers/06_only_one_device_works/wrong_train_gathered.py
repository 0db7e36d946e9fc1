"""Each replica gathers the whole batch."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "WRONG whole_batch_everywhere"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        context = tf.distribute.get_replica_context()
        x, y = context.all_gather(x, axis=0), context.all_gather(y, axis=0)
        w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w
