"""The whole list, dtypes mixed."""

EXPECT = {"15/my_all_reduce": "CRASHED"}


def my_all_reduce(context, gradients):
    return context.all_reduce("SUM", gradients)
