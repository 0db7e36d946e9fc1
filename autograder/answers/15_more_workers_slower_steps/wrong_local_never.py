"""Never averaged."""

EXPECT = {"15/my_local_sgd": "WRONG never"}


def my_local_sgd(context, w, batches, every):
    for x, y in batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
