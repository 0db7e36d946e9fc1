"""The results come dtype by dtype."""

EXPECT = {"15/my_all_reduce": "WRONG sorted_by_dtype"}


def my_all_reduce(context, gradients):
    sums = []
    for dtype in dict.fromkeys(g.dtype for g in gradients):
        own = [g for g in gradients if g.dtype == dtype]
        sums += context.all_reduce("SUM", own)
    return sums
