"""Counted from 0."""

EXPECT = {"15/my_local_sgd": "WRONG counted_from_0"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=0):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number % every == 0:
            w.assign(context.all_reduce("MEAN", w.read_value()))
