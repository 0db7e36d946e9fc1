"""zip stops at the shorter list."""

EXPECT = {"12/my_wrong_entry": "WRONG shorter_list"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, (a, b) in enumerate(zip(own, listens)):  # noqa: B905
            if a != b:
                return worker, entry
    return None
