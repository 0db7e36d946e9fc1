"""All lists are filled up first."""

EXPECT = {"16/my_first_odd": "RIGHT"}


def my_first_odd(calls):
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
