"""Gradient and rows in one vector."""

EXPECT = {"15/my_accumulate": "RIGHT"}


def my_accumulate(context, w, micro_batches):
    own = tf.zeros(3)
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        own += tf.concat([gradient, [rows]], 0)
    total = context.all_reduce("SUM", own)
    w.assign_sub(RATE * total[:2] / total[2])
