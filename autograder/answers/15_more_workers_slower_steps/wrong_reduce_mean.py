"""MEAN by dtype."""

EXPECT = {"15/my_all_reduce": "WRONG mean"}


def my_all_reduce(context, gradients):
    groups = {}
    for gradient in gradients:
        groups.setdefault(gradient.dtype, []).append(gradient)
    groups = {d: context.all_reduce("MEAN", group) for d, group in groups.items()}
    return [groups[gradient.dtype].pop(0) for gradient in gradients]
