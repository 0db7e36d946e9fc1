"""Rounds of `every` batches."""

EXPECT = {"15/my_local_sgd": "RIGHT"}


def my_local_sgd(context, w, batches, every):
    for start in range(0, len(batches), every):
        part = batches[start : start + every]
        for x, y in part:
            gradient, rows = sums(w, x, y)
            w.assign(w - RATE * gradient / rows)
        if len(part) == every:
            w.assign(
                context.all_reduce("SUM", tf.identity(w)) / context.num_replicas_in_sync
            )
