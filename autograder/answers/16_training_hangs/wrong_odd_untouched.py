"""The shipped code, renamed."""

EXPECT = {"16/my_first_odd": "NOT ATTEMPTED"}


def my_first_odd(calls):
    longest = max(len(own) for own in calls)
    for worker, own in enumerate(calls):
        if len(own) == longest:
            return worker, longest - 1
