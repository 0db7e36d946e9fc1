"""Wrong answers to 08/my_limit: each is the mistake of its name."""

from collections import Counter, defaultdict
from itertools import pairwise

from course.checks.exercises import wrong_answers


def _each(spans):
    """The work of each stage, in ms, and how many workers it has."""
    work, workers = Counter(), defaultdict(set)
    for stage, worker, _, begin, end in spans:
        work[stage] += end - begin
        workers[stage].add(worker)
    return work, {stage: len(found) for stage, found in workers.items()}


def _steps(spans):
    """The spans of the last stage, the step."""
    last = max(span[0] for span in spans)
    return [span for span in spans if span[0] == last]


def _waits(spans):
    return [after[3] - before[4] for before, after in pairwise(_steps(spans))]


def _limit(spans):
    work, workers = _each(spans)
    return max(work, key=lambda stage: work[stage] / workers[stage])


def longest_span(spans):
    """It takes the stage with the longest single span. One long span may happen once,
    or beside those of other threads.
    """
    return max(spans, key=lambda span: span[4] - span[3])[0], sum(_waits(spans))


def longest_span_divided(spans):
    """It divides the longest single span of a stage by its threads. One slow element
    then decides: take the work of all of them.
    """
    _, workers = _each(spans)
    longest = {stage: 0 for stage in workers}
    for stage, _, _, begin, end in spans:
        longest[stage] = max(longest[stage], end - begin)
    stage = max(longest, key=lambda stage: longest[stage] / workers[stage])
    return stage, sum(_waits(spans))


def workers_ignored(spans):
    """It takes the stage with the most work, or the longest spans on average, but does
    not divide by its threads. In the figure, three readers pass on three elements in
    the time of one read. Count those of the decoder in the same time.
    """
    work, _ = _each(spans)
    return max(work, key=work.get), sum(_waits(spans))


def busiest_worker(spans):
    """It takes the stage of the thread with the most work. The threads of a stage can
    share their work: divide all of it by their number.
    """
    work = Counter()
    for stage, worker, _, begin, end in spans:
        work[stage, worker] += end - begin
    return max(work, key=work.get)[0], sum(_waits(spans))


def threads_of_the_picture(spans):
    """It divides by the threads of the run in the picture: three readers, and one for
    each other stage. Each recording has its own: count them.
    """
    work, _ = _each(spans)
    stage = max(work, key=lambda stage: work[stage] / (1 if stage else 3))
    return stage, sum(_waits(spans))


def own_window(spans):
    """It divides by each stage's own time, from its first begin to its last end. A
    stage that begins late is busy in nearly all of its time, because the others are
    ahead, but another stage is the bottleneck.
    """
    work, workers = _each(spans)

    def share(stage):
        own = [span for span in spans if span[0] == stage]
        window = max(span[4] for span in own) - min(span[3] for span in own)
        return work[stage] / workers[stage] / window

    return max(work, key=share), sum(_waits(spans))


def least_work(spans):
    """It takes the stage with the least work for each thread. That one waits the most,
    for the others.
    """
    work, workers = _each(spans)
    stage = min(work, key=lambda stage: work[stage] / workers[stage])
    return stage, sum(_waits(spans))


def most_workers(spans):
    """It takes the stage with the most threads."""
    _, workers = _each(spans)
    return max(workers, key=workers.get), sum(_waits(spans))


def divided_twice(spans):
    """It divides by the threads twice."""
    work, workers = _each(spans)
    stage = max(work, key=lambda stage: work[stage] / workers[stage] ** 2)
    return stage, sum(_waits(spans))


def always_reading(spans):
    """It says stage 0 for every pipeline."""
    return 0, sum(_waits(spans))


def always_the_step(spans):
    """It says the step for every pipeline."""
    return _steps(spans)[0][0], sum(_waits(spans))


def before_the_step(spans):
    """It says the stage before the step, for every pipeline. That one may wait
    itself.
    """
    return _steps(spans)[0][0] - 1, sum(_waits(spans))


def step_left_out(spans):
    """It never names the step, but a step that is slower than its input is the
    bottleneck.
    """
    last = _steps(spans)[0][0]
    stage = _limit([span for span in spans if span[0] != last])
    return stage, sum(_waits(spans))


def one_too_far(spans):
    """The stage is one too far: the first one has the number 0."""
    return _limit(spans) + 1, sum(_waits(spans))


def wait_from_the_start(spans):
    """The stage is right, but the wait before the first step is counted too."""
    return _limit(spans), sum(_waits(spans)) + _steps(spans)[0][3]


def longest_span_from_the_start(spans):
    """It takes the stage with the longest single span, and it counts the wait before
    the first step.
    """
    stage, waited = longest_span(spans)
    return stage, waited + _steps(spans)[0][3]


def longest_wait(spans):
    """The stage is right, but the number is the step's longest wait. Return the sum of
    all its waits.
    """
    return _limit(spans), max(_waits(spans))


def share(spans):
    """The stage is right, but the number is a share. Return ms."""
    steps = _steps(spans)
    return _limit(spans), sum(_waits(spans)) / (steps[-1][4] - steps[0][3])


def busy(spans):
    """The stage is right, but the number is how long the step worked. Return how long
    it waited.
    """
    return _limit(spans), sum(end - begin for *_, begin, end in _steps(spans))


def waits_counted(spans):
    """The stage is right, but the number is how often the step waited. Return how
    long.
    """
    return _limit(spans), sum(wait > 0 for wait in _waits(spans))


def wait_of_the_stage(spans):
    """The stage is right, but the number is the wait of that stage. Return the wait of
    the step, the last stage.
    """
    limit, waited, ends = _limit(spans), 0, {}
    for stage, worker, _, begin, end in spans:
        if stage == limit:
            waited += begin - ends.get(worker, begin)
            ends[worker] = end
    return limit, waited


MISTAKES = wrong_answers(__name__)
