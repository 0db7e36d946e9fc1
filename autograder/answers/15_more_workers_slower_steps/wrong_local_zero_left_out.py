"""Counts from 0, and leaves step 0 out."""

EXPECT = {"15/my_local_sgd": "WRONG first_round_longer"}


def my_local_sgd(context, w, batches, every):
    for number, (x, y) in enumerate(batches):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number and number % every == 0:
            w.assign(context.all_reduce("MEAN", w.read_value()))
