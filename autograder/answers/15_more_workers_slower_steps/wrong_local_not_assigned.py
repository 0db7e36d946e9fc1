"""The mean is computed and thrown away."""

EXPECT = {"15/my_local_sgd": "WRONG mean_thrown_away"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number % every == 0:
            context.all_reduce("MEAN", w.read_value())
