"""One too few: no known mistake."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "WRONG"}


def my_real_replicas(strategy):
    exist = {d.name.split("device:")[-1] for d in tf.config.list_logical_devices()}
    own = [n.split("device:")[-1] for n in strategy.extended.worker_devices]
    return sum(name in exist for name in own) - 7
