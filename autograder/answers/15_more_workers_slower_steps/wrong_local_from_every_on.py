"""From step `every` on, in each step."""

EXPECT = {"15/my_local_sgd": "WRONG from_every_on"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number >= every:
            w.assign(context.all_reduce("MEAN", w.read_value()))
