"""A list that has ended is left out."""

EXPECT = {"16/my_first_odd": "WRONG ends_ignored"}


def my_first_odd(calls):
    for call in range(max(map(len, calls))):
        entered = [own[call] if call < len(own) else None for own in calls]
        most = max(entered, key=entered.count)
        for worker, each in enumerate(entered):
            if each is not None and each != most:
                return worker, call
