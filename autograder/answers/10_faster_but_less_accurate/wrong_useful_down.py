"""Shares rounded down."""

EXPECT = {"10/my_useful_replicas": "WRONG rows_rounded_down"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    def ms(n):
        return fixed + row * (batch // n) + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)
