"""tf.py_function beside the value."""

import tensorflow as tf

EXPECT = {"08/my_log": "WRONG beside_the_work"}


def my_log(place, value, write):
    tf.py_function(lambda number: write(place, number), [value], [])
    return value
