"""One of the many."""

EXPECT = {"16/my_first_odd": "WRONG one_of_most"}


def my_first_odd(calls):
    for call in range(max(map(len, calls))):
        entered = [own[call] if call < len(own) else None for own in calls]
        least = min(entered, key=entered.count)
        for worker, each in enumerate(entered):
            if each != least:
                return worker, call
