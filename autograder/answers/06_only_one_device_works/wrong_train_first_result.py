"""Of the replicas' gradients, the first is applied."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "WRONG one_share_only"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in strategy.experimental_distribute_dataset(batches):
            each = strategy.run(gradient_of, args=(w, x, y))
            first = strategy.experimental_local_results(each)[0]
            w.assign_sub(LEARNING_RATE * first)
    return w
