"""Compares hosts only."""

EXPECT = {"12/my_wrong_entry": "WRONG hosts_only"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if entry >= len(own) or own[entry].split(":")[0] != address.split(":")[0]:
                return worker, entry
    return None
