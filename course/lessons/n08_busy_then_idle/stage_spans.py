"""What each worker of a pipeline's stages did when, in a real run or a drawn one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import tensorflow as tf

from course.lessons.n08_busy_then_idle.input_pipeline import Workers, reading
from course.lessons.n08_busy_then_idle.one_core import on_one_core
from course.runs.spans import Span, SpanRecorder, Timeline

StageSpan = tuple[int, int, int, int, int]  # stage, worker, element, begin, end (ms)
NAMES = ("read", "decode", "step")
WORKERS, WORK = (3, 1, 1), (0.09, 0.05, 0.02)  # of each stage; seconds an element
ELEMENTS = 9
ROOM = 2


def lane_of(stage: int, worker: int) -> str:
    """Return how the figure names a worker."""
    return f"{NAMES[stage]} {worker}" if WORKERS[stage] > 1 else NAMES[stage]


def run_stages() -> Timeline:
    """Run a tf.data pipeline: three workers read, one decodes, then comes the step."""
    recorder = SpanRecorder()
    lanes = [[lane_of(s, w) for w in range(n)] for s, n in enumerate(WORKERS)]
    read, decode, step = (
        Workers(recorder, workers, name, lambda i, seconds=seconds: seconds)
        for workers, name, seconds in zip(lanes, NAMES, WORK, strict=True)
    )
    options = tf.data.Options()
    options.threading.private_threadpool_size = sum(WORKERS)

    def iterate() -> bool:
        dataset = (
            tf.data.Dataset.range(ELEMENTS)
            .map(reading(read), num_parallel_calls=WORKERS[0])
            .map(reading(decode))
            .prefetch(2)
            .with_options(options)
        )
        for element in dataset:
            step(int(element))
        return True

    on_one_core(iterate)
    return recorder.timeline("three readers, one decoder, the step", [*chain(*lanes)])


def spans_of(run: Timeline) -> list[StageSpan]:
    """Return the spans of `run_stages`, in order of begin, in ms from the first one."""
    places = {lane_of(s, w): (s, w) for s in range(3) for w in range(WORKERS[s])}
    return [(*places[s.lane], int(s.name), *_ms(run, s)) for s in run.spans]


def _ms(run: Timeline, span: Span) -> tuple[int, int]:
    begin, end = (round(1000 * (at - run.begin)) for at in (span.begin, span.end))
    return begin, end


def draw_spans(
    work: np.ndarray, workers: Sequence[int], late: Sequence[int] = ()
) -> tuple[StageSpan, ...]:
    """Let elements pass through stages in order, each to the worker that is free first.

    Between two stages there is room for as many elements as the first has workers, and
    for `ROOM` more: a stage waits where the next one does not keep up.

    Args:
        work: whole numbers (stages, elements), ms.
        workers: of each stage; the last stage is the step, with one.
        late: for each stage, ms before which it does not begin; 0 if not given.
    """
    stages, late = range(len(workers)), tuple(late) or (0,) * len(workers)
    free = [[begin] * count for begin, count in zip(late, workers, strict=True)]
    begins: list[list[int]] = [[] for _ in stages]
    last_end, spans = [0] * len(workers), []
    for element in range(work.shape[1]):
        there = 0
        for stage in stages:
            worker = int(np.argmin(free[stage]))
            begin = max(free[stage][worker], there)
            before = element - workers[stage] - ROOM
            if stage + 1 < len(workers) and before >= 0:
                begin = max(begin, begins[stage + 1][before])
            end = free[stage][worker] = begin + int(work[stage, element])
            begins[stage].append(begin)
            # tf.data hands elements on in order
            there = last_end[stage] = max(end, last_end[stage])
            spans.append((stage, worker, element, begin, end))
    return tuple(sorted(spans, key=lambda span: (span[3], span[0], span[1])))
