"""w is replaced by a tensor."""

EXPECT = {"15/my_local_sgd": "CRASHED"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        w = w - RATE * gradient / rows
        if number % every == 0:
            w.assign(context.all_reduce("MEAN", w))
