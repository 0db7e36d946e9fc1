"""Answers to 08/my_limit, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, right, wrong


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


@wrong("workers_ignored")
@changed(limit_dict, ("set()).add(worker)", "[]).append(worker)"))
def mean():
    """The longest spans on average."""


@wrong
def name(spans):
    """The stage's name."""
    return "decode", 10


@wrong
def nothing(spans):
    """Nothing."""
    return None


@wrong
@changed(
    limit_dict, ("return stage, steps[-1][1] - steps[0][0] - worked", "return stage")
)
def stage_only():
    """A stage without a number."""


@wrong("own_window")
@changed(
    busiest,
    (
        "/ (1 + max(s[1] for s in own))",
        "/ (1 + max(s[1] for s in own)) / (max(s[4] for s in own) - own[0][3])",
    ),
)
def busy_share():
    """How busy a stage is between its own first begin and last end."""


@wrong("threads_of_the_picture")
@changed(limit_dict, ("work[s] / len(workers[s])", "work[s] / {0: 3}.get(s, 1)"))
def threads_written_down():
    """Three readers in every recording, as in the picture."""


@wrong("threads_of_the_picture")
@changed(limit_dict, ("work[s] / len(workers[s])", "work[s] / [3, 1, 1, 1][s]"))
def threads_in_a_list():
    """The same in a list."""
