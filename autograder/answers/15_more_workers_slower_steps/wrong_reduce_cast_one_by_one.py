"""Cast to float64, and sent one by one."""

EXPECT = {"15/my_all_reduce": "WRONG"}


def my_all_reduce(context, gradients):
    sums = []
    for g in gradients:
        sums.append(tf.cast(context.all_reduce("SUM", tf.cast(g, tf.float64)), g.dtype))
    return sums
