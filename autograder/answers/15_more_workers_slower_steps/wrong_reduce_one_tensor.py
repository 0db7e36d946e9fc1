"""It returns one packed tensor."""

EXPECT = {"15/my_all_reduce": "CRASHED"}


def my_all_reduce(context, gradients):
    own = [tf.reshape(tf.cast(g, tf.float64), [-1]) for g in gradients]
    return context.all_reduce("SUM", tf.concat(own, 0))
