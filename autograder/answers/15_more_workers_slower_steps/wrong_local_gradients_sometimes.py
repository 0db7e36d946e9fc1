"""The mean gradient now and then."""

EXPECT = {"15/my_local_sgd": "WRONG gradients_now_and_then"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        gradient /= rows
        if number % every == 0:
            gradient = context.all_reduce("MEAN", gradient)
        w.assign_sub(RATE * gradient)
