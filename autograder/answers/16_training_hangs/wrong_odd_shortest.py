"""The shortest list is to blame."""

EXPECT = {"16/my_first_odd": "WRONG shortest_list"}


def my_first_odd(calls):
    lengths = [len(own) for own in calls]
    if len(set(lengths)) == 1:
        return None
    return lengths.index(min(lengths)), min(lengths)
