"""The shipped code in other words."""

EXPECT = {"16/my_first_odd": "WRONG stands_still"}


def my_first_odd(calls):
    lengths = [len(own) for own in calls]
    return lengths.index(max(lengths)), max(lengths) - 1
