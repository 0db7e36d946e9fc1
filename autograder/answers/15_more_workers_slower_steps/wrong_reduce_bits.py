"""All are turned into bytes, which can't be added up."""

EXPECT = {"15/my_all_reduce": "CRASHED"}


def my_all_reduce(context, gradients):
    own = [tf.reshape(tf.bitcast(g, tf.uint8), [-1]) for g in gradients]
    packed = context.all_reduce("SUM", tf.concat(own, 0))
    parts = tf.split(packed, [part.shape.num_elements() for part in own])
    return [
        tf.bitcast(tf.reshape(p, [*g.shape, g.dtype.size]), g.dtype)
        for p, g in zip(parts, gradients, strict=True)
    ]
