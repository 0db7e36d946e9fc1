"""A list for each dtype: TensorFlow packs it."""

EXPECT = {"15/my_all_reduce": "RIGHT"}


def my_all_reduce(context, gradients):
    sums = list(gradients)
    for dtype in sorted({g.dtype.name for g in gradients}):
        places = [i for i, g in enumerate(gradients) if g.dtype.name == dtype]
        own = context.all_reduce("SUM", [gradients[i] for i in places])
        for i, total in zip(places, own, strict=True):
            sums[i] = total
    return sums
