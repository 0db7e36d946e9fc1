"""A stage without a number."""

EXPECT = {"07/my_limit": "CRASHED"}


def my_limit(spans):
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    return max(work, key=lambda s: work[s] / len(workers[s]))
