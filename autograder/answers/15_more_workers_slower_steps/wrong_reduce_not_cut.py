"""The packed vectors come back."""

EXPECT = {"15/my_all_reduce": "WRONG not_cut"}


def my_all_reduce(context, gradients):
    sums = []
    for dtype in dict.fromkeys(g.dtype for g in gradients):
        own = [tf.reshape(g, [-1]) for g in gradients if g.dtype == dtype]
        sums.append(context.all_reduce("SUM", tf.concat(own, 0)))
    return sums
