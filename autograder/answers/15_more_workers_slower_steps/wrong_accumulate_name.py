"""Gives the name w a new value."""

EXPECT = {"15/my_accumulate": "WRONG never_changed"}


def my_accumulate(context, w, micro_batches):
    found = [sums(w, x, y) for x, y in micro_batches]
    own = [sum(g for g, _ in found), sum(r for _, r in found)]
    gradient, rows = context.all_reduce("SUM", own)
    w -= RATE * gradient / rows
