"""Means of micro-batches, averaged."""

EXPECT = {"15/my_accumulate": "WRONG mean_of_means"}


def my_accumulate(context, w, micro_batches):
    mean = tf.zeros(2)
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        mean += gradient / rows / len(micro_batches)
    w.assign_sub(RATE * context.all_reduce("MEAN", mean))
