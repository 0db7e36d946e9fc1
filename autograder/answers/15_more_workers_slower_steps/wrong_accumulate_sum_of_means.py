"""Means of micro-batches, added up."""

EXPECT = {"15/my_accumulate": "WRONG sum_of_means"}


def my_accumulate(context, w, micro_batches):
    total = tf.zeros(2)
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        total += gradient / rows
    w.assign_sub(RATE * context.all_reduce("SUM", total))
