"""Answers to 17/my_first_odd, right and wrong, and what the check says of each."""

from collections import Counter
from itertools import zip_longest

from autograder.answers import right


@right
def counter(calls):
    """Counter finds what most entered; zip_longest fills up."""
    for call, entered in enumerate(zip_longest(*calls)):
        [(most, _)] = Counter(entered).most_common(1)
        for worker, each in enumerate(entered):
            if each != most:
                return worker, call
    return None


@right
def others(calls):
    """A worker is odd if nobody, or a minority, does the same."""
    for call in range(max(map(len, calls))):
        entered = [own[call : call + 1] for own in calls]
        for worker, each in enumerate(entered):
            if 2 * entered.count(each) < len(calls):
                return worker, call


@right
def padded(calls):
    """All lists are filled up first."""
    longest = max(map(len, calls))
    calls = [own + [("nothing", 0)] * (longest - len(own)) for own in calls]
    most = [max(column, key=column.count) for column in zip(*calls, strict=False)]
    places = [
        (call, worker)
        for worker, own in enumerate(calls)
        for call, each in enumerate(own)
        if each != most[call]
    ]
    return min(places)[::-1] if places else None


@wrong
def names_worker(calls):
    """The worker by its name."""
    return "worker 1", 4
