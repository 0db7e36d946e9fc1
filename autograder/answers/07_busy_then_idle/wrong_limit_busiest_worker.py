"""The stage of the worker that works most."""

from collections import Counter

EXPECT = {"07/my_limit": "WRONG busiest_worker"}


def my_limit(spans):
    work = Counter()
    for stage, worker, _, begin, end in spans:
        work[stage, worker] += end - begin
    (stage, _), _ = work.most_common(1)[0]
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    waited = sum(b[0] - a[1] for a, b in zip(steps, steps[1:], strict=False))
    return stage, waited
