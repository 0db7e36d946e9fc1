"""The longest spans on average."""

EXPECT = {"07/my_limit": "WRONG workers_ignored"}


def my_limit(spans):
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    counts = {}
    for span in spans:
        counts[span[0]] = counts.get(span[0], 0) + 1
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = max(work, key=lambda s: work[s] / counts[s])
    return stage, steps[-1][1] - steps[0][0] - worked
