"""Entries first, then workers."""

EXPECT = {"12/my_wrong_entry": "WRONG first_entry_of_all"}


def my_wrong_entry(lists, listens):
    for entry, address in enumerate(listens):
        for worker, own in enumerate(lists):
            if own[entry : entry + 1] != [address]:
                return worker, entry
    return None
