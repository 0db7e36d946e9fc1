"""The entry is looked for, still in comparison with worker 0."""

EXPECT = {"12/my_wrong_entry": "WRONG first_list_believed_and_zipped"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, (mine, first) in enumerate(zip(own, lists[0], strict=False)):
            if mine != first:
                return worker, entry
    return None
