"""Workers from 1."""

EXPECT = {"15/my_slow_one": "WRONG counted_from_1"}


def my_slow_one(steps):
    numbers, slow = {step[1] for step in steps}, []
    for number in numbers:
        own = sorted((e - b, w) for w, n, b, e, _ in steps if n == number)
        if own[-1][0] >= 2 * own[-2][0]:
            slow.append(own[-1][1])
    found = [w for w in slow if 2 * slow.count(w) > len(numbers)]
    return found[0] + 1 if found else None
