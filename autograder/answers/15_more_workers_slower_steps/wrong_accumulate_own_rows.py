"""Divided by the worker's rows."""

EXPECT = {"15/my_accumulate": "WRONG own_rows"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more, count = sums(w, x, y)
        gradient, rows = gradient + more, rows + count

    gradient = context.all_reduce("SUM", gradient)
    w.assign_sub(RATE * gradient / rows)
