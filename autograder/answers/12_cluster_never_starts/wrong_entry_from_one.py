"""Counted from 1."""

EXPECT = {"12/my_wrong_entry": "WRONG from_one"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists, 1):
        for entry, address in enumerate(listens, 1):
            if own[entry - 1 : entry] != [address]:
                return worker, entry
    return None
