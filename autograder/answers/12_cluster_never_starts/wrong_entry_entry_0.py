"""The worker is found, the entry is not looked for."""

EXPECT = {"12/my_wrong_entry": "WRONG always_entry_0"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        if own != listens:
            return worker, 0
    return None
