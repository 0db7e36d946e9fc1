"""Answers to 19/my_not_restored, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def not_assert(before, after, stored):
    """NumPy's own test function."""
    found = []
    for name in after:
        try:
            np.testing.assert_array_equal(after[name], stored[name], strict=True)
        except (AssertionError, KeyError):
            found.append(name)
    return tuple(found)


@right
def not_bytes(before, after, stored):
    """Bytes, dtype and shape are compared; a list comes back."""

    def kind(values):
        return values.dtype, values.shape, values.tobytes()

    return [n for n in after if n not in stored or kind(after[n]) != kind(stored[n])]


@right
def fixed(before, after, stored):
    """The shipped code, mended."""
    found = set()
    for name, value in after.items():
        there = name in stored
        if not there or not np.array_equal(value, stored[name], equal_nan=True):
            found.add(name)
    return found


@right
def removed(before, after, stored):
    """All names but the good ones."""
    names = set(after)
    for name in set(after) & set(stored):
        one, two = after[name], stored[name]
        if (
            one.shape == two.shape
            and ((one == two) | ((one != one) & (two != two))).all()
        ):
            names.remove(name)
    return names


@wrong
def first(before, after, stored):
    """One name instead of a set."""
    for name in after:
        if name not in stored:
            return name
    return set()


@crashed
def key_error(before, after, stored):
    """A name that is not in the file ends it."""
    return {n for n in after if after[n].tobytes() != stored[n].tobytes()}


@wrong
def none(before, after, stored):
    """The return is forgotten."""
    found = set()
    for name in after:
        if name not in stored:
            found.add(name)


@wrong("close")
def tolerance(before, after, stored):
    """An absolute tolerance, which is larger than a small value."""

    def near(one, two):
        if one.shape != two.shape:
            return False
        return np.allclose(one, two, rtol=0, atol=1e-8, equal_nan=True)

    return {n for n in after if n not in stored or not near(after[n], stored[n])}
