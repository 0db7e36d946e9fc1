"""Answers to 07/my_limit, right and wrong, and what the check says of each."""

from collections import Counter

import numpy as np

from autograder.answers import changed, crashed, right, wrong


@right
def busiest(spans):
    """The most work of one worker's share; the gaps one by one."""
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


@right
def limit_dict(spans):
    """Two dictionaries."""
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = max(work, key=lambda s: work[s] / len(workers[s]))
    return stage, steps[-1][1] - steps[0][0] - worked


@right
def numpy(spans):
    """Arrays."""
    table = np.array(spans)
    stages = table[:, 0].max() + 1
    each = []
    for stage in range(stages):
        own = table[table[:, 0] == stage]
        each.append((own[:, 4] - own[:, 3]).sum() / len(np.unique(own[:, 1])))
    steps = table[table[:, 0] == stages - 1]
    waited = (steps[1:, 3] - steps[:-1, 4]).sum()
    return np.argmax(each), waited


@wrong("before_the_step")
def before_step(spans):
    """The last one before the step."""
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = last - 1
    return stage, steps[-1][1] - steps[0][0] - worked


@wrong("busiest_worker")
def busiest_worker(spans):
    """The stage of the worker that works most."""
    work = Counter()
    for stage, worker, _, begin, end in spans:
        work[stage, worker] += end - begin
    (stage, _), _ = work.most_common(1)[0]
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    waited = sum(b[0] - a[1] for a, b in zip(steps, steps[1:], strict=False))
    return stage, waited


@wrong("divided_twice")
@changed(limit_dict, ("len(workers[s])", "len(workers[s]) ** 2"))
def divided_twice():
    """Mean of each worker's mean."""


@wrong("one_too_far")
def from_one(spans):
    """Counted from one."""
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = 1 + max(work, key=lambda s: work[s] / len(workers[s]))
    return stage, steps[-1][1] - steps[0][0] - worked


@wrong("step_left_out")
def input_only(spans):
    """The step is no input."""
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = max((s for s in work if s != last), key=lambda s: work[s] / len(workers[s]))
    return stage, steps[-1][1] - steps[0][0] - worked


@wrong("least_work")
def least(spans):
    """The least work."""
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = min(work, key=lambda s: work[s] / len(workers[s]))
    return stage, steps[-1][1] - steps[0][0] - worked


@wrong("longest_span")
def longest(spans):
    """The longest span, by a loop."""
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage, most = 0, 0
    for s, _, _, begin, end in spans:
        if end - begin > most:
            stage, most = s, end - begin
    return stage, steps[-1][1] - steps[0][0] - worked


@wrong("longest_span_from_the_start")
def longest_from_start(spans):
    """The longest span, and all the waiting."""
    stage = max(spans, key=lambda span: span[4] - span[3])[0]
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    return stage, steps[-1][1] - sum(end - begin for begin, end in steps)


@wrong("longest_wait")
def longest_wait(spans):
    """The longest wait."""
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    stage = max(work, key=lambda s: work[s] / len(workers[s]))
    last = max(work)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    gaps = [b[0] - a[1] for a, b in zip(steps, steps[1:], strict=False)]
    return stage, max(gaps)


@wrong("busy")
@changed(longest_wait, ("stage, max(gaps)", "stage, work[last] + 0 * len(gaps)"))
def busy():
    """How long it worked."""


@wrong("waits_counted")
@changed(longest_wait, ("stage, max(gaps)", "stage, sum(gap > 0 for gap in gaps)"))
def counted():
    """How often it waited."""


@wrong("wait_from_the_start")
@changed(longest_wait, ("max(gaps)", "steps[-1][1] - work[last] + 0 * len(gaps)"))
def from_the_start():
    """With the wait for the first element."""


@wrong("workers_ignored")
def mean(spans):
    """The longest spans on average."""
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


@wrong("most_workers")
def most_workers(spans):
    """The most workers."""
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = max(workers, key=lambda s: len(workers[s]))
    return stage, steps[-1][1] - steps[0][0] - worked


@crashed
def name(spans):
    """The stage's name."""
    return "decode", 10


@crashed
def nothing(spans):
    """Nothing."""
    return None


@wrong("wait_of_the_stage")
def own_wait(spans):
    """The wait of the limiting stage."""
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


@wrong("always_reading")
def reading(spans):
    """Reading, always."""
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = 0
    return stage, steps[-1][1] - steps[0][0] - worked


@wrong("share")
@changed(longest_wait, ("max(gaps)", "sum(gaps) / (steps[-1][1] - steps[0][0])"))
def limit_share():
    """A share."""


@crashed
def stage_only(spans):
    """A stage without a number."""
    work, workers = {}, {}
    for stage, worker, _, begin, end in spans:
        work[stage] = work.get(stage, 0) + end - begin
        workers.setdefault(stage, set()).add(worker)
    return max(work, key=lambda s: work[s] / len(workers[s]))


@wrong("always_the_step")
def step(spans):
    """The step, always."""
    last = max(span[0] for span in spans)
    steps = [(begin, end) for s, _, _, begin, end in spans if s == last]
    worked = sum(end - begin for begin, end in steps)
    stage = last
    return stage, steps[-1][1] - steps[0][0] - worked


@wrong("workers_ignored")
@changed(limit_dict, ("key=lambda s: work[s] / len(workers[s])", "key=work.get"))
def total():
    """The most work, whoever does it."""
