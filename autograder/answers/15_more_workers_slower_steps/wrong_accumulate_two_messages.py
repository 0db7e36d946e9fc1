"""Gradient and rows one after the other."""

EXPECT = {"15/my_accumulate": "WRONG two_messages"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more, count = sums(w, x, y)
        gradient, rows = gradient + more, rows + count

    gradient = context.all_reduce("SUM", gradient)
    rows = context.all_reduce("SUM", rows)
    w.assign_sub(RATE * gradient / rows)
