"""It prints the answer."""

EXPECT = {"15/my_slow_one": "WRONG nobody"}


def my_slow_one(steps):
    print(max(steps, key=lambda step: step[3] - step[2])[0])
