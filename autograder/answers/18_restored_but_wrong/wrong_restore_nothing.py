"""It does nothing."""

EXPECT = {"18/my_restore": "WRONG nothing"}


def my_restore(folder, variables):
    return None
