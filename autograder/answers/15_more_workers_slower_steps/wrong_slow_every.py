"""Slow in all steps."""

EXPECT = {"15/my_slow_one": "WRONG every_step"}


def my_slow_one(steps):
    found = set()
    for number in sorted({step[1] for step in steps}):
        own = sorted((e - b, w) for w, n, b, e, _ in steps if n == number)
        found.add(own[-1][1] if own[-1][0] >= 2 * own[-2][0] else None)
    return found.pop() if len(found) == 1 else None
