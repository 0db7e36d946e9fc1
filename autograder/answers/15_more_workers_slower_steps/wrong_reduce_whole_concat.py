"""One vector of all, dtypes mixed."""

EXPECT = {"15/my_all_reduce": "CRASHED"}


def my_all_reduce(context, gradients):
    packed = tf.concat([tf.reshape(g, [-1]) for g in gradients], 0)
    packed = context.all_reduce("SUM", packed)
    parts = tf.split(packed, [g.shape.num_elements() for g in gradients])
    return [tf.reshape(p, g.shape) for p, g in zip(parts, gradients, strict=True)]
