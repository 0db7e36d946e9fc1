"""One exchange."""

EXPECT = {"10/my_useful_replicas": "WRONG exchange_once"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    def ms(n):
        return fixed + row * -(-batch // n) + (exchange if n > 1 else 0)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)
