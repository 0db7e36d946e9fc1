"""Collects gradients, and steps once."""

EXPECT = {"15/my_local_sgd": "WRONG accumulated"}


def my_local_sgd(context, w, batches, every):
    held = tf.zeros(2)
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        held += gradient / rows
        if number % every == 0:
            w.assign_sub(RATE * context.all_reduce("MEAN", held))
            held = tf.zeros(2)
