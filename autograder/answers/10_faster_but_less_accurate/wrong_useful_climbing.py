"""Stops at the first rise."""

EXPECT = {"10/my_useful_replicas": "WRONG stops_at_the_first_rise"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    def ms(n):
        return fixed + row * -(-batch // n) + exchange * (n - 1)

    n = 1
    while n < most and ms(n + 1) < ms(n):
        n += 1
    return n, ms(n)
