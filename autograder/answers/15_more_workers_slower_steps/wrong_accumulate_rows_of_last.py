"""The rows are overwritten."""

EXPECT = {"15/my_accumulate": "WRONG rows_of_last"}


def my_accumulate(context, w, micro_batches):
    gradient = tf.zeros(2)
    for x, y in micro_batches:
        more, rows = sums(w, x, y)
        gradient += more
    gradient, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(RATE * gradient / rows)
