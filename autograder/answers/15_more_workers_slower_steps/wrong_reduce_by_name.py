"""It returns a dictionary."""

EXPECT = {"15/my_all_reduce": "CRASHED"}


def my_all_reduce(context, gradients):
    groups = {}
    for g in gradients:
        groups.setdefault(g.dtype.name, []).append(g)
    return {d: context.all_reduce("SUM", group) for d, group in groups.items()}
