"""Nothing is sent."""

EXPECT = {"15/my_all_reduce": "WRONG not_reduced"}


def my_all_reduce(context, gradients):
    return gradients
