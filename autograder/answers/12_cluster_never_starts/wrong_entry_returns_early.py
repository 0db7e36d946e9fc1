"""Returns after the first list."""

EXPECT = {"12/my_wrong_entry": "WRONG first_list_only"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if own[entry : entry + 1] != [address]:
                return worker, entry
        return None
