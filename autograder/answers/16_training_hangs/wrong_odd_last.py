"""The last difference."""

EXPECT = {"16/my_first_odd": "WRONG last_difference"}


def my_first_odd(calls):
    found = None
    for call in range(max(map(len, calls))):
        entered = [own[call] if call < len(own) else None for own in calls]
        most = max(entered, key=entered.count)
        odd = [worker for worker, each in enumerate(entered) if each != most]
        if odd:
            found = odd[0], call
    return found
