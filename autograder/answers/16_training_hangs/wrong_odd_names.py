"""Only names."""

EXPECT = {"16/my_first_odd": "WRONG names_only"}


def my_first_odd(calls):
    for call in range(max(map(len, calls))):
        entered = [own[call][0] if call < len(own) else None for own in calls]
        most = max(entered, key=entered.count)
        for worker, each in enumerate(entered):
            if each != most:
                return worker, call
