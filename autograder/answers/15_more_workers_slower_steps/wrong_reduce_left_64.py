"""All as float64, and not back."""

EXPECT = {"15/my_all_reduce": "WRONG left_as_float64"}


def my_all_reduce(context, gradients):
    return context.all_reduce("SUM", [tf.cast(g, tf.float64) for g in gradients])
