"""The most work of one worker's share; the gaps one by one."""

EXPECT = {"07/my_limit": "RIGHT"}


def my_limit(spans):
    last = max(spans)[0]
    best, limit = -1.0, None
    for stage in range(last + 1):
        own = [span for span in spans if span[0] == stage]
        share = sum(s[4] - s[3] for s in own) / (1 + max(s[1] for s in own))
        if share > best:
            best, limit = share, stage
    waited, ended = 0, None
    for _, _, _, begin, end in (span for span in spans if span[0] == last):
        waited += begin - ended if ended is not None else 0
        ended = end
    return [limit, float(waited)]
