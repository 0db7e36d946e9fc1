"""A loop that keeps the best."""

EXPECT = {"10/my_useful_replicas": "RIGHT"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    best = (1, fixed + row * batch)
    for n in range(2, most + 1):
        share = (batch + n - 1) // n
        ms = fixed + row * share + exchange * (n - 1)
        if ms < best[1]:
            best = (n, ms)
    return best
