"""A loop that never ends."""

EXPECT = {"09/my_first_stall": "CRASHED"}


def my_first_stall(visits, slack):
    index = 0
    while index < len(visits):
        stage, micro, begin, end = visits[index]
        if end < begin:
            index += 1
