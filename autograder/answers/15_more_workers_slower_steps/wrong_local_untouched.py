"""The shipped code, renamed."""

EXPECT = {"15/my_local_sgd": "NOT ATTEMPTED"}


def my_local_sgd(context, w, batches, every):
    for x, y in batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        w.assign(context.all_reduce("MEAN", w.read_value()))
