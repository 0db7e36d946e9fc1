"""Scalars are left out."""

EXPECT = {"15/my_all_reduce": "WRONG scalars_lost"}


def my_all_reduce(context, gradients):
    gradients = [g for g in gradients if g.shape.rank]
    groups = {}
    for g in gradients:
        groups.setdefault(g.dtype, []).append(g)
    groups = {d: context.all_reduce("SUM", group) for d, group in groups.items()}
    return [groups[g.dtype].pop(0) for g in gradients]
