"""The own address is taken on trust."""

EXPECT = {"12/my_wrong_entry": "WRONG own_entry_skipped"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if entry != worker and own[entry : entry + 1] != [address]:
                return worker, entry
    return None
