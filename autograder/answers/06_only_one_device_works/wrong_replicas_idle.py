"""Count the devices that are not used."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "WRONG idle_ones"}


def my_real_replicas(strategy):
    exist = {d.name.split("device:")[-1] for d in tf.config.list_logical_devices()}
    own = [n.split("device:")[-1] for n in strategy.extended.worker_devices]
    return len(exist - set(own))
