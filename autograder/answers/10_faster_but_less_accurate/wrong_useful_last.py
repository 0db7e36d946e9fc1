"""The largest of equally good ones."""

EXPECT = {"10/my_useful_replicas": "WRONG last_of_equals"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    def ms(n):
        return fixed + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(most, 0, -1), key=ms)
    return best, ms(best)
