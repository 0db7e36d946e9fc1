"""The entry is found, against worker 0's list."""

EXPECT = {"12/my_wrong_entry": "WRONG first_list_believed_entry_found"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(lists[0]):
            if own[entry : entry + 1] != [address]:
                return worker, entry
    return None
