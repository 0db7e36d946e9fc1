"""Only its own address."""

EXPECT = {"12/my_wrong_entry": "WRONG own_entry_only"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        if worker < len(own) and own[worker] != listens[worker]:
            return worker, worker
    return None
