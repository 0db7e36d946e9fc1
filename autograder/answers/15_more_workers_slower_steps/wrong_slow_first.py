"""Only the first step."""

EXPECT = {"15/my_slow_one": "WRONG first_step"}


def my_slow_one(steps):
    own = sorted((e - b, w) for w, n, b, e, _ in steps if n == 0)
    return own[-1][1] if own[-1][0] >= 2 * own[-2][0] else None
