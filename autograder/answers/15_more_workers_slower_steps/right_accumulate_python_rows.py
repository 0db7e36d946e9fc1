"""rows is a Python number, which can't be sent with the gradient."""

EXPECT = {"15/my_accumulate": "RIGHT"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = 0.0, 0
    for x, y in micro_batches:
        gradient, rows = gradient + sums(w, x, y)[0], rows + len(y)
    total = context.all_reduce("SUM", [gradient, tf.constant(float(rows))])
    w.assign_sub(RATE * total[0] / total[1])
