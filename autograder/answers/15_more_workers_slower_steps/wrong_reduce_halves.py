"""Two packs for each dtype, added up."""

EXPECT = {"15/my_all_reduce": "WRONG packed_twice"}


def my_all_reduce(context, gradients):
    groups = {}
    for g in gradients:
        groups.setdefault(g.dtype, []).append(g)
    sums = {}
    for d, group in groups.items():
        sums[d] = list(context.all_reduce("SUM", group[:1]))
        sums[d] += context.all_reduce("SUM", group[1:])
    return [sums[g.dtype].pop(0) for g in gradients]
