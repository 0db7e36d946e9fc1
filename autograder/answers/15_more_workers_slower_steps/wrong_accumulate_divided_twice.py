"""Divides by rows and by micro-batches."""

EXPECT = {"15/my_accumulate": "WRONG divided_twice"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more_gradient, more_rows = sums(w, x, y)
        gradient, rows = gradient + more_gradient, rows + more_rows
    gradient, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(RATE * gradient / rows / len(micro_batches))
