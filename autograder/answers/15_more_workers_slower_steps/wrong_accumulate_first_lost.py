"""From the second on."""

EXPECT = {"15/my_accumulate": "WRONG first_lost"}


def my_accumulate(context, w, micro_batches):
    found = [sums(w, x, y) for x, y in micro_batches[1:]]
    own = [tf.add_n(list(parts)) for parts in zip(*found, strict=True)]
    gradient, rows = context.all_reduce("SUM", own)
    w.assign_sub(RATE * gradient / rows)
