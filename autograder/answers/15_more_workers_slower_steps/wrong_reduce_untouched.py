"""The shipped code, renamed."""

EXPECT = {"15/my_all_reduce": "NOT ATTEMPTED"}


def my_all_reduce(context, gradients):
    """Return the sums over all workers: a list, in the order of the gradients."""
    sums = []
    for gradient in gradients:
        sums.append(context.all_reduce("SUM", gradient))
    return sums
