"""TensorFlow's ClusterSpec writes the cluster."""

import json

import tensorflow as tf

EXPECT = {"12/my_tf_configs": "RIGHT"}


def my_tf_configs(hosts):
    cluster = tf.train.ClusterSpec({"worker": hosts}).as_dict()
    return [
        json.dumps({"task": {"index": k, "type": "worker"}, "cluster": cluster})
        for k in range(len(hosts))
    ]
