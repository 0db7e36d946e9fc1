"""All as float32, and not back."""

EXPECT = {"15/my_all_reduce": "WRONG left_as_float32"}


def my_all_reduce(context, gradients):
    return context.all_reduce("SUM", [tf.cast(g, tf.float32) for g in gradients])
