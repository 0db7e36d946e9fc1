"""Slices compare also what is missing."""

EXPECT = {"12/my_wrong_entry": "RIGHT"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry in range(len(listens)):
            if own[entry : entry + 1] != listens[entry : entry + 1]:
                return worker, entry
    return None
