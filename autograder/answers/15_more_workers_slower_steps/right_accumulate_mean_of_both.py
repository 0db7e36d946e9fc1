"""MEAN of both: the ratio is the same."""

EXPECT = {"15/my_accumulate": "RIGHT"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = 0.0, 0.0
    for x, y in micro_batches:
        more, count = sums(w, x, y)
        gradient += more
        rows += count
    gradient, rows = context.all_reduce("MEAN", (gradient, rows))
    w.assign_sub(RATE * (gradient / rows))
