"""The gradients are added up in every step."""

EXPECT = {"15/my_local_sgd": "WRONG gradients_summed"}


def my_local_sgd(context, w, batches, every):
    for x, y in batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * context.all_reduce("SUM", gradient / rows))
