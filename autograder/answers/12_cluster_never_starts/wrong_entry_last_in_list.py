"""The last wrong entry of the first wrong list."""

EXPECT = {"12/my_wrong_entry": "WRONG last_in_the_list"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry in reversed(range(len(listens))):
            if own[entry : entry + 1] != [listens[entry]]:
                return worker, entry
    return None
