"""convert_to_tensor gives a tensor without a device."""

EXPECT = {"15/my_local_sgd": "CRASHED"}


def my_local_sgd(context, w, batches, every):
    for i, (x, y) in enumerate(batches):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if i % every == every - 1:
            w.assign(context.all_reduce("MEAN", tf.convert_to_tensor(w)))
