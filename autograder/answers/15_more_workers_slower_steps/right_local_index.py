"""Indices from 0."""

EXPECT = {"15/my_local_sgd": "RIGHT"}


def my_local_sgd(context, w, batches, every):
    for i in range(len(batches)):
        gradient, rows = sums(w, *batches[i])
        w.assign_sub(RATE * gradient / rows)
        if (i + 1) % every == 0:
            mean = context.all_reduce("MEAN", w * 1.0)
            w.assign(mean)
