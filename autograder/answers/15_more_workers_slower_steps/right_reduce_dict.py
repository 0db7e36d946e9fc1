"""A dictionary by dtype, popped from the front."""

EXPECT = {"15/my_all_reduce": "RIGHT"}


def my_all_reduce(context, gradients):
    groups = {}
    for gradient in gradients:
        groups.setdefault(gradient.dtype, []).append(gradient)
    for dtype in groups:
        groups[dtype] = context.all_reduce(tf.distribute.ReduceOp.SUM, groups[dtype])
    return [groups[gradient.dtype].pop(0) for gradient in gradients]
