"""The wait of the limiting stage."""

EXPECT = {"07/my_limit": "WRONG wait_of_the_stage"}


def my_limit(spans):
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    stage = max(work, key=lambda s: work[s] / len(workers[s]))
    waited, ends = 0, {}
    for s, worker, _, begin, end in spans:
        if s == stage:
            waited += begin - ends.get(worker, begin)
            ends[worker] = end
    return stage, waited
