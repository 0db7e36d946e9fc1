"""Who enters last, by the clocks of all."""

EXPECT = {"15/my_slow_one": "WRONG last_by_the_clock"}


def my_slow_one(steps):
    last = []
    for number in {step[1] for step in steps}:
        last.append(max((s for s in steps if s[1] == number), key=lambda s: s[3])[0])
    return max(set(last), key=last.count)
