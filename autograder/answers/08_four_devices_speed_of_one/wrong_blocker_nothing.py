"""Finds nothing."""

EXPECT = {"08/my_blocker": "WRONG nothing_found"}


def my_blocker(events):
    return None
