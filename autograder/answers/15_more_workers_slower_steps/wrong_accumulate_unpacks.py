"""One value too few."""

EXPECT = {"15/my_accumulate": "CRASHED"}


def my_accumulate(context, w, micro_batches):
    gradient = sum(sums(w, x, y) for x, y in micro_batches)
    w.assign_sub(RATE * context.all_reduce("SUM", gradient))
