"""Most often the longest, by however little."""

EXPECT = {"15/my_slow_one": "WRONG often_longest"}


def my_slow_one(steps):
    longest = []
    for number in sorted({step[1] for step in steps}):
        own = {w: e - b for w, n, b, e, _ in steps if n == number}
        longest.append(max(own, key=own.get))
    return max(longest, key=longest.count)
