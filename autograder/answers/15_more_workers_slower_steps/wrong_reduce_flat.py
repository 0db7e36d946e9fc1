"""The parts are not reshaped."""

EXPECT = {"15/my_all_reduce": "WRONG flat"}


def my_all_reduce(context, gradients):
    groups = {}
    for g in gradients:
        groups.setdefault(g.dtype, []).append(tf.reshape(g, [-1]))
    groups = {d: context.all_reduce("SUM", group) for d, group in groups.items()}
    return [groups[g.dtype].pop(0) for g in gradients]
