"""Packs of 64 bytes."""

EXPECT = {"15/my_all_reduce": "WRONG"}


def my_all_reduce(context, gradients):
    options = tf.distribute.experimental.CommunicationOptions(bytes_per_pack=64)
    groups = {}
    for g in gradients:
        groups.setdefault(g.dtype, []).append(g)
    for dtype in groups:
        groups[dtype] = context.all_reduce("SUM", groups[dtype], options)
    return [groups[g.dtype].pop(0) for g in gradients]
