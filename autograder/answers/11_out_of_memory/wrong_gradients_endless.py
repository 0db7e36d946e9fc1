"""The start never moves."""

EXPECT = {"11/my_gradients": "CRASHED"}


def my_gradients(weights, x, y, row_losses, most):
    start, total = 0, 0
    while start < len(x):
        total += len(x[start : start + most])
    return total
