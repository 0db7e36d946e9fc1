"""It never returns anything."""

EXPECT = {"12/my_wrong_entry": "WRONG always_none"}


def my_wrong_entry(lists, listens):
    for own in lists:
        own == listens  # noqa: B015
