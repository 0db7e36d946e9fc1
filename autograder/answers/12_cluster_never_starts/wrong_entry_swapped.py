"""First the entry, then the worker."""

EXPECT = {"12/my_wrong_entry": "WRONG swapped"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if own[entry : entry + 1] != [address]:
                return entry, worker
    return None
