"""The numbers are taken out of TensorFlow."""

import numpy as np
import tensorflow as tf

EXPECT = {"09/my_layer": "CRASHED"}


def my_layer(h, w, device):
    with tf.device(device):
        return tf.constant(np.tanh(h.numpy() @ w.numpy()))
