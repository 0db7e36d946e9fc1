"""The shipped code under its new name."""

EXPECT = {"12/my_wrong_entry": "NOT ATTEMPTED"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        if own != lists[0]:
            return worker, 0
    return None
