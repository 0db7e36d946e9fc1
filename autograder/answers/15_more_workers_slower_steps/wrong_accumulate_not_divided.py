"""No division."""

EXPECT = {"15/my_accumulate": "WRONG not_divided"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more, count = sums(w, x, y)
        gradient, rows = gradient + more, rows + count

    w.assign_sub(RATE * context.all_reduce("SUM", gradient))
