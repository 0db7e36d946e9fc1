"""Reading, always."""

EXPECT = {"07/my_limit": "WRONG always_reading"}


def my_limit(spans):
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = 0
    return stage, steps[-1][1] - steps[0][0] - worked
