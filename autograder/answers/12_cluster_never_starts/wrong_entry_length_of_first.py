"""Counts entries by worker 0's list."""

EXPECT = {"12/my_wrong_entry": "WRONG as_long_as_the_first"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry in range(len(lists[0])):
            if own[entry : entry + 1] != [listens[entry]]:
                return worker, entry
    return None
