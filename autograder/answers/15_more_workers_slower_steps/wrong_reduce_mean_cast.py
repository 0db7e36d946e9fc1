"""MEAN by dtype, and cast back."""

EXPECT = {"15/my_all_reduce": "WRONG divided_on_top"}


def my_all_reduce(context, gradients):
    groups = {}
    for gradient in gradients:
        groups.setdefault(gradient.dtype, []).append(gradient)
    groups = {d: context.all_reduce("MEAN", group) for d, group in groups.items()}
    return [tf.cast(groups[g.dtype].pop(0), g.dtype) for g in gradients]
