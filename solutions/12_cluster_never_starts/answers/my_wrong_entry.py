"""Answers to 12/my_wrong_entry, right and wrong, and what the check says of each."""

from itertools import zip_longest

import numpy as np

from autograder.answers import crashed, right


@right
def longest(lists, listens):
    """zip_longest fills the shorter list up."""
    wrong = [
        (worker, entry)
        for worker, own in enumerate(lists)
        for entry, (a, b) in enumerate(zip_longest(own, listens))
        if a != b
    ]
    return min(wrong) if wrong else None


@right
def numpy(lists, listens):
    """Filled lists as an array."""
    filled = [own + [""] * (len(listens) - len(own)) for own in lists]
    found = np.argwhere(np.array(filled) != np.array(listens))
    return tuple(found[0]) if len(found) else None


@right
def slices(lists, listens):
    """Slices compare also what is missing."""
    for worker, own in enumerate(lists):
        for entry in range(len(listens)):
            if own[entry : entry + 1] != listens[entry : entry + 1]:
                return worker, entry
    return None


@crashed
def entry_address(lists, listens):
    """The address instead of its position."""
    for worker, own in enumerate(lists):
        for entry, address in enumerate(own):
            if address != listens[entry]:
                return worker, address
    return None


@crashed
def too_short(lists, listens):
    """An index beyond a short list."""
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if own[entry] != address:
                return worker, entry
    return None
