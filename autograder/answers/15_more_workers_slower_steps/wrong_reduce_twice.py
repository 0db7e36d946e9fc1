"""Summed, and then summed again."""

EXPECT = {"15/my_all_reduce": "WRONG twice"}


def my_all_reduce(context, gradients):
    groups = {}
    for gradient in gradients:
        groups.setdefault(gradient.dtype, []).append(gradient)
    groups = {d: context.all_reduce("SUM", group) for d, group in groups.items()}
    groups = {d: context.all_reduce("SUM", group) for d, group in groups.items()}
    return [groups[gradient.dtype].pop(0) for gradient in gradients]
