"""No stage at all."""

EXPECT = {"01/my_stages": "WRONG nothing_batched"}


def my_stages():
    return []
