"""The variable itself is sent: it has no device here."""

EXPECT = {"15/my_local_sgd": "CRASHED"}


def my_local_sgd(context, w, batches, every):
    for i, (x, y) in enumerate(batches):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if i % every == every - 1:
            w.assign(context.all_reduce("MEAN", w))
