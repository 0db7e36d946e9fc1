"""The shipped code, renamed."""

EXPECT = {"15/my_accumulate": "NOT ATTEMPTED"}


def my_accumulate(context, w, micro_batches):
    for x, y in micro_batches:
        gradient, rows = context.all_reduce("SUM", list(sums(w, x, y)))
        w.assign_sub(RATE * gradient / rows)
