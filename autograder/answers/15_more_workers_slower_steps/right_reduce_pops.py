"""The list it is given is emptied."""

EXPECT = {"15/my_all_reduce": "RIGHT"}


def my_all_reduce(context, gradients):
    groups, order = {}, []
    while gradients:
        gradient = gradients.pop(0)
        order.append((gradient.dtype, len(groups.setdefault(gradient.dtype, []))))
        groups[gradient.dtype].append(gradient)
    sums = {d: context.all_reduce("SUM", group) for d, group in groups.items()}
    return [sums[dtype][place] for dtype, place in order]
