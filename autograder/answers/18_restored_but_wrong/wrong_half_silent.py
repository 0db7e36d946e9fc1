"""A cast by TensorFlow."""

EXPECT = {"18/my_half": "WRONG silent"}


def my_half(weights):
    return {name: tf.cast(value, "float16").numpy() for name, value in weights.items()}
