"""The first list is still believed."""

EXPECT = {"12/my_wrong_entry": "WRONG first_list_believed"}


def my_wrong_entry(lists, listens):
    for worker in range(1, len(lists)):
        if lists[worker] != lists[0]:
            return worker, 0
    return None
