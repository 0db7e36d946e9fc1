"""zip_longest fills the shorter list up."""

from itertools import zip_longest

EXPECT = {"12/my_wrong_entry": "RIGHT"}


def my_wrong_entry(lists, listens):
    wrong = [
        (worker, entry)
        for worker, own in enumerate(lists)
        for entry, (a, b) in enumerate(zip_longest(own, listens))
        if a != b
    ]
    return min(wrong) if wrong else None
