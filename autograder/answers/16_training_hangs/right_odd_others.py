"""A worker is odd if nobody, or a minority, does the same."""

EXPECT = {"16/my_first_odd": "RIGHT"}


def my_first_odd(calls):
    for call in range(max(map(len, calls))):
        entered = [own[call : call + 1] for own in calls]
        for worker, each in enumerate(entered):
            if 2 * entered.count(each) < len(calls):
                return worker, call
