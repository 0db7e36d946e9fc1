"""After every third step."""

EXPECT = {"15/my_local_sgd": "WRONG always_three"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number % 3 == 0:
            w.assign(context.all_reduce("MEAN", w.read_value()))
