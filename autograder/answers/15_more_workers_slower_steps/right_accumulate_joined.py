"""The rows are joined first."""

EXPECT = {"15/my_accumulate": "RIGHT"}


def my_accumulate(context, w, micro_batches):
    x = tf.concat([x for x, _ in micro_batches], 0)
    y = tf.concat([y for _, y in micro_batches], 0)
    gradient, rows = context.all_reduce("SUM", list(sums(w, x, y)))
    w.assign_sub(RATE * gradient / rows)
