"""Only float32 is packed."""

EXPECT = {"15/my_all_reduce": "WRONG floats_packed_only"}


def my_all_reduce(context, gradients):
    own = [g for g in gradients if g.dtype == tf.float32]
    packed = list(context.all_reduce("SUM", own))
    sums = []
    for g in gradients:
        if g.dtype == tf.float32:
            sums.append(packed.pop(0))
        else:
            sums.append(context.all_reduce("SUM", g))
    return sums
