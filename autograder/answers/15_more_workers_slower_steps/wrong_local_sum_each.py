"""SUM of weights in every step."""

EXPECT = {"15/my_local_sgd": "WRONG sum_every_step"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number:
            w.assign(context.all_reduce("SUM", w.read_value()))
