"""MEAN of each."""

EXPECT = {"15/my_all_reduce": "WRONG mean_one_by_one"}


def my_all_reduce(context, gradients):
    return [context.all_reduce("MEAN", gradient) for gradient in gradients]
