"""All floats go as float64, all whole numbers as int64: nothing is lost."""

EXPECT = {"15/my_all_reduce": "RIGHT"}


def my_all_reduce(context, gradients):
    sums = [None] * len(gradients)
    for wide, whole in ((tf.float64, False), (tf.int64, True)):
        places = [i for i, g in enumerate(gradients) if g.dtype.is_integer == whole]
        if not places:
            continue
        own = [tf.cast(gradients[i], wide) for i in places]
        for i, total in zip(places, context.all_reduce("SUM", own), strict=True):
            sums[i] = tf.cast(total, gradients[i].dtype)
    return sums
