"""It returns nothing."""

EXPECT = {"15/my_all_reduce": "CRASHED"}


def my_all_reduce(context, gradients):
    for gradient in gradients:
        context.all_reduce("SUM", gradient)
