"""The largest is never tried."""

EXPECT = {"10/my_useful_replicas": "WRONG most_left_out"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    def ms(n):
        return fixed + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(1, most), key=ms)
    return best, ms(best)
