"""Lists, added up with add_n."""

EXPECT = {"15/my_accumulate": "RIGHT"}


def my_accumulate(context, w, micro_batches):
    found = [sums(w, x, y) for x, y in micro_batches]
    own = [tf.add_n(list(parts)) for parts in zip(*found, strict=True)]
    gradient, rows = context.all_reduce("SUM", own)
    w.assign_sub(RATE * gradient / rows)
