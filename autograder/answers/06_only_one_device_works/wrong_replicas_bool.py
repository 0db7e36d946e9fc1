"""Return whether all are real."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "CRASHED"}


def my_real_replicas(strategy):
    exist = {d.name.split("device:")[-1] for d in tf.config.list_logical_devices()}
    own = [n.split("device:")[-1] for n in strategy.extended.worker_devices]
    return set(own) <= exist
