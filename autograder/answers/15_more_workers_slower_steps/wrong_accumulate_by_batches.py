"""Divided by the number of micro-batches."""

EXPECT = {"15/my_accumulate": "WRONG divided_by_batches"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more, count = sums(w, x, y)
        gradient, rows = gradient + more, rows + count

    w.assign_sub(RATE * context.all_reduce("SUM", gradient) / len(micro_batches))
