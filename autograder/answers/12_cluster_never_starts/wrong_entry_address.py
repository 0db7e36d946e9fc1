"""The address instead of its position."""

EXPECT = {"12/my_wrong_entry": "CRASHED"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(own):
            if address != listens[entry]:
                return worker, address
    return None
