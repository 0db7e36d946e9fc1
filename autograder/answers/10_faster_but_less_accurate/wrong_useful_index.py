"""An index for a number."""

EXPECT = {"10/my_useful_replicas": "WRONG one_too_few"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    ms = [fixed + row * -(-batch // n) + exchange * (n - 1) for n in range(1, most + 1)]
    return ms.index(min(ms)), min(ms)
