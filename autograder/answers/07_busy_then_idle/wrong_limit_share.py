"""A share."""

EXPECT = {"07/my_limit": "WRONG share"}


def my_limit(spans):
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    stage = max(work, key=lambda s: work[s] / len(workers[s]))
    last = max(work)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    gaps = [b[0] - a[1] for a, b in zip(steps, steps[1:], strict=False)]
    return stage, sum(gaps) / (steps[-1][1] - steps[0][0])
