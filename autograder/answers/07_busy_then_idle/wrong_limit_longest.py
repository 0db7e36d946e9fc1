"""The longest span, by a loop."""

EXPECT = {"07/my_limit": "WRONG longest_span"}


def my_limit(spans):
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage, most = 0, 0
    for s, _, _, begin, end in spans:
        if end - begin > most:
            stage, most = s, end - begin
    return stage, steps[-1][1] - steps[0][0] - worked
