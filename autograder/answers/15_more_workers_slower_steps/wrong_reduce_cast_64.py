"""All as float64, and back."""

EXPECT = {"15/my_all_reduce": "WRONG cast_to_float64"}


def my_all_reduce(context, gradients):
    wide = context.all_reduce("SUM", [tf.cast(g, tf.float64) for g in gradients])
    return [tf.cast(total, g.dtype) for total, g in zip(wide, gradients, strict=True)]
