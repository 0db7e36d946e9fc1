"""Sent when the last one comes, without it."""

EXPECT = {"15/my_accumulate": "WRONG last_lost"}


def my_accumulate(context, w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for number, (x, y) in enumerate(micro_batches, start=1):
        if number == len(micro_batches):
            gradient, rows = context.all_reduce("SUM", [gradient, rows])
            w.assign_sub(RATE * gradient / rows)
            break
        more, count = sums(w, x, y)
        gradient, rows = gradient + more, rows + count
