"""Worker 0 is the measure."""

EXPECT = {"16/my_first_odd": "WRONG unlike_worker_0"}


def my_first_odd(calls):
    for call in range(max(map(len, calls))):
        entered = [own[call] if call < len(own) else None for own in calls]
        for worker, each in enumerate(entered):
            if each != entered[0]:
                return worker, call
