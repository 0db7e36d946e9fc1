"""The shipped code in one line."""

EXPECT = {"15/my_all_reduce": "WRONG one_by_one"}


def my_all_reduce(context, gradients):
    return [context.all_reduce("SUM", gradient) for gradient in gradients]
