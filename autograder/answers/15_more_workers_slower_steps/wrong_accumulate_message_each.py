"""Summed over the workers in the loop, one step."""

EXPECT = {"15/my_accumulate": "WRONG message_for_each"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), 0.0
    for x, y in micro_batches:
        more, count = context.all_reduce("SUM", list(sums(w, x, y)))
        gradient, rows = gradient + more, rows + count
    w.assign_sub(RATE * gradient / rows)
