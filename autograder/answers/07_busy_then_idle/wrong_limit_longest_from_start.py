"""The longest span, and all the waiting."""

EXPECT = {"07/my_limit": "WRONG longest_span_from_the_start"}


def my_limit(spans):
    stage = max(spans, key=lambda span: span[4] - span[3])[0]
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    return stage, steps[-1][1] - sum(end - begin for begin, end in steps)
