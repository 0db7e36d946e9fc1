"""Looks only into lists that differ from worker 0's."""

EXPECT = {"12/my_wrong_entry": "WRONG first_list_still_compared"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        if own != lists[0]:
            for entry, address in enumerate(own):
                if address != listens[entry]:
                    return worker, entry
    return None
