"""Each is flattened, and sent alone."""

EXPECT = {"15/my_all_reduce": "WRONG one_by_one"}


def my_all_reduce(context, gradients):
    sums = []
    for g in gradients:
        total = context.all_reduce("SUM", tf.reshape(g, [-1]))
        sums.append(tf.reshape(total, g.shape))
    return sums
