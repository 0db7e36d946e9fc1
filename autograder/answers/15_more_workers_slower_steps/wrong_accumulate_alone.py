"""A step alone for each."""

EXPECT = {"15/my_accumulate": "WRONG alone_each"}


def my_accumulate(context, w, micro_batches):
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
