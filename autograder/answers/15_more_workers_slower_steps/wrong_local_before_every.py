"""Averages before step `every`."""

EXPECT = {"15/my_local_sgd": "WRONG before_step_every"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        if number % every == 0:
            w.assign(context.all_reduce("MEAN", w.read_value()))
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
