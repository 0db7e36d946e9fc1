"""Compares all entries with the worker's own address."""

EXPECT = {"12/my_wrong_entry": "WRONG own_address_everywhere"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(own):
            if address != listens[worker]:
                return worker, entry
    return None
