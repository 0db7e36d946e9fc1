"""Without soft placement, a missing device is an error."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "RIGHT"}


def my_real_replicas(strategy):
    works = 0
    tf.config.set_soft_device_placement(False)
    try:
        for name in strategy.extended.worker_devices:
            try:
                with tf.device(name):
                    tf.constant(1.0) + 1.0
                works += 1
            except tf.errors.InvalidArgumentError:
                pass
    finally:
        tf.config.set_soft_device_placement(True)
    return float(works)
