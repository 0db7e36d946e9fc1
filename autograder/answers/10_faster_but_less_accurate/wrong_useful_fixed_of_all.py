"""The fixed part once for each replica."""

EXPECT = {"10/my_useful_replicas": "WRONG fixed_of_all"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    def ms(n):
        return fixed * n + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)
