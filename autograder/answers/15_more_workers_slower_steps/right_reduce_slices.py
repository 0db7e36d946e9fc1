"""Offsets by hand, sizes as tensors; it returns a tuple."""

EXPECT = {"15/my_all_reduce": "RIGHT"}


def my_all_reduce(context, gradients):
    packs, at = {}, {}
    for g in gradients:
        packs.setdefault(g.dtype.name, []).append(tf.reshape(g, (-1,)))
    for name, parts in packs.items():
        packs[name], at[name] = context.all_reduce("sum", tf.concat(parts, 0)), 0
    sums = []
    for g in gradients:
        name, size = g.dtype.name, tf.size(g)
        sums.append(tf.reshape(packs[name][at[name] : at[name] + size], tf.shape(g)))
        at[name] = at[name] + size
    return tuple(sums)
