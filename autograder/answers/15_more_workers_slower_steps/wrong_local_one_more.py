"""One step too late."""

EXPECT = {"15/my_local_sgd": "WRONG one_step_more"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number % (every + 1) == 0:
            w.assign(context.all_reduce("MEAN", w.read_value()))
