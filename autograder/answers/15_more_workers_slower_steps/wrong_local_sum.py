"""SUM of weights."""

EXPECT = {"15/my_local_sgd": "WRONG sum"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number % every == 0:
            w.assign(context.all_reduce("SUM", w.read_value()))
