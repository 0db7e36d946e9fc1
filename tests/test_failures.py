"""Errors in words: what a learner reads when their function stops."""

import pytest
import tensorflow as tf

from course.checks.failures import explain

pytestmark = pytest.mark.usefixtures("devices")  # before TensorFlow starts


def test_a_graph_s_error_is_told_without_the_places_of_its_operations():
    @tf.function
    def invert(n):
        return tf.linalg.inv(tf.zeros((n, n)))

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        invert(tf.constant(2))
    stopped, line = explain(caught.value, invert.python_function)
    assert stopped == ("It stopped with InvalidArgumentError: Input is not invertible.")
    assert line == "In your code: line 3, return tf.linalg.inv(tf.zeros((n, n)))"
