"""zip ends with the shortest list."""

EXPECT = {"16/my_first_odd": "WRONG as_long_as_all"}


def my_first_odd(calls):
    for call, entered in enumerate(zip(*calls, strict=False)):
        most = max(entered, key=entered.count)
        for worker, each in enumerate(entered):
            if each != most:
                return worker, call
