"""The most workers."""

EXPECT = {"07/my_limit": "WRONG most_workers"}


def my_limit(spans):
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = max(workers, key=lambda s: len(workers[s]))
    return stage, steps[-1][1] - steps[0][0] - worked
