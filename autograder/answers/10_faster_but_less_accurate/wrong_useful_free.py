"""No exchange."""

EXPECT = {"10/my_useful_replicas": "WRONG without_exchange"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    def ms(n):
        return fixed + row * -(-batch // n)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)
