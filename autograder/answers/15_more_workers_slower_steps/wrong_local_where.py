"""A counter that is a tensor, and tf.where."""

EXPECT = {"15/my_local_sgd": "WRONG sent_in_each"}


def my_local_sgd(context, w, batches, every):
    number = tf.constant(0)
    for x, y in batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        number += 1
        mean = context.all_reduce("MEAN", w.read_value())
        w.assign(tf.where(number % every == 0, mean, w))
