"""One slow step is enough."""

EXPECT = {"15/my_slow_one": "WRONG any_step"}


def my_slow_one(steps):
    for number in sorted({step[1] for step in steps}):
        own = sorted((e - b, w) for w, n, b, e, _ in steps if n == number)
        if own[-1][0] >= 2 * own[-2][0]:
            return own[-1][1]
    return None
