"""No return."""

EXPECT = {"11/my_gradients": "CRASHED"}


def my_gradients(weights, x, y, row_losses, most):
    for i in range(0, len(x), most):
        row_losses(x[i : i + most], y[i : i + most])
