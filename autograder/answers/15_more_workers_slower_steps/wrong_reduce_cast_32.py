"""All as float32, and back."""

EXPECT = {"15/my_all_reduce": "WRONG cast_to_float32"}


def my_all_reduce(context, gradients):
    wide = context.all_reduce("SUM", [tf.cast(g, tf.float32) for g in gradients])
    return [tf.cast(total, g.dtype) for total, g in zip(wide, gradients, strict=True)]
