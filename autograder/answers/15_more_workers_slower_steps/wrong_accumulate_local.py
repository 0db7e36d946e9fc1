"""Steps alone, then takes the mean of the weights."""

EXPECT = {"15/my_accumulate": "WRONG local_steps"}


def my_accumulate(context, w, micro_batches):
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
    w.assign(context.all_reduce("MEAN", w.read_value()))
