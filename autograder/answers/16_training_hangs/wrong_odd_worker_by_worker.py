"""The first worker, not the first call."""

EXPECT = {"16/my_first_odd": "WRONG worker_by_worker"}


def my_first_odd(calls):
    longest = max(map(len, calls))
    for worker in range(len(calls)):
        for call in range(longest):
            entered = [own[call] if call < len(own) else None for own in calls]
            if entered[worker] != max(entered, key=entered.count):
                return worker, call
