"""The call first, then the worker."""

EXPECT = {"16/my_first_odd": "WRONG swapped"}


def my_first_odd(calls):
    for call in range(max(map(len, calls))):
        entered = [own[call] if call < len(own) else None for own in calls]
        most = max(entered, key=entered.count)
        for worker, each in enumerate(entered):
            if each != most:
                return call, worker
