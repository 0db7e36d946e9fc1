"""Compare names as they are."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "WRONG names_do_not_match"}


def my_real_replicas(strategy):
    exist = {d.name for d in tf.config.list_logical_devices()}
    return len(exist & set(strategy.extended.worker_devices))
