"""Locate: which stage of a pipeline limits it, and how long does the step wait?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation
from course.checks.places import Found, Place
from course.lessons.n07_busy_then_idle.stage_spans import StageSpan, draw_spans

PLACE = Place(("stage",), ("waited",), nothing=False)


@dataclass(frozen=True)
class Record:
    """The spans of one run; the last stage is the step."""

    label: str
    spans: tuple[StageSpan, ...]

    def __str__(self) -> str:
        return f"{self.label} ({self.stages} stages, {len(self.spans)} spans)"

    @property
    def stages(self) -> int:
        """How many stages there are, with the step."""
        return 1 + max(span[0] for span in self.spans)

    def lengths(self, stage: int) -> np.ndarray:
        """The length of each of a stage's spans, in ms."""
        return np.array(
            [end - begin for s, _, _, begin, end in self.spans if s == stage]
        )

    def workers(self, stage: int) -> int:
        """How many workers a stage has."""
        return len({worker for s, worker, *_ in self.spans if s == stage})

    def gaps(self, stage: int) -> np.ndarray:
        """All ms between two spans of a worker that follow each other."""
        ends: dict[int, int] = {}
        found = []
        for s, worker, _, begin, end in self.spans:
            if s == stage:
                found.append(begin - ends.get(worker, begin))
                ends[worker] = end
        return np.array(found)


def draw(rng: np.random.Generator) -> list[Record]:
    """Draw pipelines: another stage limits in each, and none by the same sign."""

    def record(
        label: str,
        means: list[int],
        workers: list[int],
        late: tuple[int, ...] = (),
        first: int = 0,
    ) -> Record:
        elements = int(rng.integers(13, 17))
        work = np.array([rng.integers(m - 3, m + 4, elements) for m in means])
        # the first read takes longer: it opens a file
        work[0, 0] += first
        return Record(label, draw_spans(work, workers, late))

    return [
        record("many slow readers", [96, 44, 17], [4, 1, 1]),
        record("a slow step", [90, 70, 62], [2, 3, 1], first=40),
        record("four stages", [105, 25, 84, 16], [5, 1, 2, 1]),
        record("a slow first read", [28, 47, 21], [1, 1, 1], first=130),
        # one reader is busy for long, while the other reads the rest
        record("a slow read beside others", [40, 44, 17], [2, 1, 1], first=450),
        record("a single reader", [63, 92, 20], [1, 3, 1]),
        record("a decoder that starts late", [80, 56, 30], [3, 1, 1], (0, 230, 0)),
    ]


def _per_worker(record: Record) -> np.ndarray:
    """The work of each stage, divided by its workers."""
    return np.array(
        [record.lengths(s).sum() / record.workers(s) for s in range(record.stages)]
    )


def _each(of: Callable[[Record, int], float]) -> Callable[[Record], np.ndarray]:
    return lambda record: np.array([of(record, s) for s in range(record.stages)])


def _waited(record: Record) -> float:
    """How long the step waited between its first and its last span."""
    return float(record.gaps(record.stages - 1).sum())


def _first_step(record: Record) -> int:
    return next(
        begin for stage, _, _, begin, _ in record.spans if stage == _last(record)
    )


def _last(record: Record) -> int:
    return record.stages - 1


def _limit(record: Record) -> int:
    return int(np.argmax(_per_worker(record)))


def _right(record: Record) -> Found:
    return _limit(record), _waited(record)


def _busiest(record: Record, stage: int) -> float:
    """The work of the worker that has the most, in a stage."""
    work: Counter[int] = Counter()
    for s, worker, _, begin, end in record.spans:
        if s == stage:
            work[worker] += end - begin
    return max(work.values())


def _stage(choose: Callable[[Record], int]) -> Callable[[Record], Found]:
    """The right wait, of a stage chosen otherwise."""
    return lambda record: (choose(record), _waited(record))


def _most(of: Callable[[Record, int], float]) -> Callable[[Record], Found]:
    return _stage(lambda record: int(np.argmax(_each(of)(record))))


def _amount(of: Callable[[Record], float]) -> Callable[[Record], Found]:
    """The right stage, with another number."""
    return lambda record: (_limit(record), float(of(record)))


def _end(record: Record) -> int:
    return max(span[4] for span in record.spans)


def _busy(record: Record) -> float:
    return float(record.lengths(_last(record)).sum())


def _compare(record: Record, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "",
        "the stage whose work, divided by the number of its threads, is the most; and "
        "how many ms the step waited between its first begin and its last end.",
    )


MY_LIMIT = Exercise(
    name="07/my_limit",
    cases=draw,
    observe=lambda function, record: PLACE.observation(function(list(record.spans))),
    expect=lambda record: PLACE.observation(_right(record)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "longest_span",
            _most(lambda record, s: record.lengths(s).max()),
            "it takes the stage with the longest single span. One long span may happen "
            "once, or beside those of other threads.",
        ),
        PLACE.mistake(
            "workers_ignored",
            _most(lambda record, s: record.lengths(s).sum()),
            "it takes the stage with the most work, or the longest spans on average, "
            "but does not divide by its threads. Four threads hand on four elements in "
            "the time of one span.",
        ),
        PLACE.mistake(
            "busiest_worker",
            _most(_busiest),
            "it takes the stage of the thread with the most work. The threads of a "
            "stage can share their work: divide all of it by their number.",
        ),
        PLACE.mistake(
            "least_work",
            _stage(lambda record: int(np.argmin(_per_worker(record)))),
            "it takes the stage with the least work for each thread. That one waits "
            "the most, for the others.",
        ),
        PLACE.mistake(
            "most_workers",
            _most(lambda record, s: record.workers(s)),
            "it takes the stage with the most threads.",
        ),
        PLACE.mistake(
            "divided_twice",
            _most(lambda record, s: record.lengths(s).sum() / record.workers(s) ** 2),
            "it divides by the threads twice.",
        ),
        PLACE.mistake(
            "always_reading",
            _stage(lambda record: 0),
            "it says stage 0 for every pipeline.",
        ),
        PLACE.mistake(
            "always_the_step",
            _stage(_last),
            "it says the step for every pipeline.",
        ),
        PLACE.mistake(
            "before_the_step",
            _stage(lambda record: _last(record) - 1),
            "it says the stage before the step, for every pipeline. That one may wait "
            "itself.",
        ),
        PLACE.mistake(
            "step_left_out",
            _stage(lambda record: int(np.argmax(_per_worker(record)[:-1]))),
            "it never says the step. A step that is slower than its input limits too.",
        ),
        PLACE.mistake(
            "one_too_far",
            _stage(lambda record: _limit(record) + 1),
            "the stage is one too far: the first one has the number 0.",
        ),
        PLACE.mistake(
            "wait_from_the_start",
            _amount(lambda record: _waited(record) + _first_step(record)),
            "the stage is right, but the wait before the first step is counted too.",
        ),
        PLACE.mistake(
            "longest_span_from_the_start",
            lambda record: (
                int(np.argmax(_each(lambda r, s: r.lengths(s).max())(record))),
                _waited(record) + _first_step(record),
            ),
            "it takes the stage with the longest single span, and it counts the wait "
            "before the first step.",
        ),
        PLACE.mistake(
            "longest_wait",
            _amount(lambda record: record.gaps(_last(record)).max()),
            "the stage is right, but the number is the step's longest wait. Asked are "
            "all of them together.",
        ),
        PLACE.mistake(
            "share",
            _amount(
                lambda record: _waited(record) / (_end(record) - _first_step(record))
            ),
            "the stage is right, but the number is a share. Asked are ms.",
        ),
        PLACE.mistake(
            "busy",
            _amount(_busy),
            "the stage is right, but the number is how long the step worked. Asked is "
            "how long it waited.",
        ),
        PLACE.mistake(
            "waits_counted",
            _amount(lambda record: (record.gaps(_last(record)) > 0).sum()),
            "the stage is right, but the number is how often the step waited. Asked is "
            "how long.",
        ),
        PLACE.mistake(
            "wait_of_the_stage",
            _amount(lambda record: record.gaps(_limit(record)).sum()),
            "the stage is right, but the number is the wait of that stage. Asked is "
            "the wait of the step, the last stage.",
        ),
    ),
    right="Right on seven recordings, in which stages limit for different reasons.",
)
