"""The shipped code, with a comment."""

from itertools import pairwise

EXPECT = {"07/my_limit": "NOT ATTEMPTED"}


def my_limit(spans):
    # the longest one
    stage = max(spans, key=lambda span: span[4] - span[3])[0]
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    return stage, sum(after[0] - before[1] for before, after in pairwise(steps))
