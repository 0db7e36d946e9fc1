"""The last wrong place."""

EXPECT = {"12/my_wrong_entry": "WRONG last_place"}


def my_wrong_entry(lists, listens):
    found = None
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if own[entry : entry + 1] != [address]:
                found = worker, entry
    return found
