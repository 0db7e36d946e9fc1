"""Is each worker anywhere in the list?"""

EXPECT = {"12/my_wrong_entry": "WRONG nowhere_in_the_list"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if address not in own:
                return worker, entry
    return None
