"""A counter of slow steps."""

from collections import Counter

EXPECT = {"15/my_slow_one": "RIGHT"}


def my_slow_one(steps):
    numbers = sorted({step[1] for step in steps})
    slow = Counter()
    for number in numbers:
        works = sorted((e - b, w) for w, n, b, e, _ in steps if n == number)
        slow[works[-1][1]] += works[-1][0] > 2 * works[-2][0]
    worker, count = slow.most_common(1)[0]
    return worker if count > len(numbers) / 2 else None
