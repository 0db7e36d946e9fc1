"""Changes w in the loop, and once more."""

EXPECT = {"15/my_accumulate": "WRONG changed_on_the_way"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more_gradient, more_rows = sums(w, x, y)
        w.assign_sub(RATE * more_gradient / more_rows)
        gradient, rows = gradient + more_gradient, rows + more_rows
    gradient, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(RATE * gradient / rows)
