"""An index beyond a short list."""

EXPECT = {"12/my_wrong_entry": "CRASHED"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if own[entry] != address:
                return worker, entry
    return None
