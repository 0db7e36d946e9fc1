"""Locate: which visit of a stage begins later than the pipeline can explain?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.jobs.pipeline import STAGES
from course.places import Found, Place

PLACE = Place(("stage", "micro"), ("late",))
Visit = tuple[int, int, int, int]  # stage, micro-batch, begin, end


@dataclass(frozen=True)
class Record:
    """The forward visits of a run, in order of begin, and the slack, in ms."""

    label: str
    visits: tuple[Visit, ...]
    slack: int

    def __str__(self) -> str:
        return f"{self.label} ({len(self.visits)} visits, slack {self.slack})"


def _run(
    label: str,
    slack: int,
    work: np.ndarray,
    order: list[int],
    held: dict[tuple[int, int], int],
    chained: bool = False,
) -> Record:
    """Let micro-batches pass the stages.

    work: (stages, micro-batches), ms; held: how long a visit is held up; chained:
    whether a micro-batch waits until the one before is through.
    """
    free, visits, last_end = [0] * STAGES, [], 0
    for micro in order:
        there = last_end if chained else 0
        for stage in range(STAGES):
            begin = max(free[stage], there) + held.get((stage, micro), 0)
            there = free[stage] = begin + int(work[stage, micro])
            visits.append((stage, micro, begin, there))
        last_end = there
    return Record(label, tuple(sorted(visits, key=lambda v: (v[2], v[0]))), slack)


def draw(rng: np.random.Generator) -> list[Record]:
    """Draw a pipeline without fault, and some with micro-batches held up."""

    def work(low: int = 31, high: int = 45, micro: int = 4) -> np.ndarray:
        return rng.integers(low, high, (STAGES, micro))

    slow = work()
    slow[1] += 40  # later stages have gaps, which this explains
    first, second = int(rng.integers(13, 19)), int(rng.integers(30, 39))
    both = {(2, 1): first, (1, 3): second + 20}
    more, most = int(rng.integers(3, 9)), int(rng.integers(50, 59))
    low, high = int(rng.integers(5, 9)), int(rng.integers(13, 17))
    held = {(0, 1): high - 2, (1, 2): high + more, (2, 3): most, (3, 4): most - 25}
    in_order = [0, 1, 2, 3]
    return [
        _run("a pipeline without a fault", low, work(), in_order, {}),
        _run("micro-batches one after the other", 10, work(), in_order, {}, True),
        _run("one slow stage", high, slow, in_order, {(1, 2): high}),
        _run("two visits held up", low, work(), in_order, both),
        _run("another order", 10, work(), [0, 2, 1, 3], {(1, 1): second}),
        _run("five micro-batches", high, work(micro=5), [*in_order, 4], held),
    ]


Ready = Callable[[int, float, float], float]
Answer = Callable[[tuple[int, int, float, float]], Found]


def _lates(
    record: Record, ready: Ready = lambda stage, free, there: max(free, there)
) -> list[tuple[int, int, int, float]]:
    """Return (stage, micro-batch, begin, late) of all visits, in order.

    ready: from the stage, the end of its visit before, and the end of the micro-batch
        in the stage before, to when the visit could have begun.
    """
    free, done, lates = [0.0] * STAGES, {}, []
    for stage, micro, begin, end in record.visits:
        at = ready(stage, free[stage], done.get((stage - 1, micro), 0.0))
        lates.append((stage, micro, begin, begin - at))
        free[stage] = done[stage, micro] = end
    return lates


def _found(
    ready: Ready | None = None,
    which: Callable[[list], tuple] = lambda over: over[0],
    answer: Answer = lambda visit: (visit[0], visit[1], visit[3]),
    strict: bool = True,
    slack: int | None = None,
) -> Callable[[Record], Found]:
    """Return a monitor: among the visits that are late, the answer for `which`."""

    def find(record: Record) -> Found:
        lates = _lates(record, ready) if ready else _lates(record)
        limit = record.slack if slack is None else slack
        over = [v for v in lates if v[3] > limit or (not strict and v[3] == limit)]
        return answer(which(over)) if over else None

    return find


_right = _found()


def _stage_before_at_all(record: Record) -> Found:
    """Compare with the last end in the stage before, whichever micro-batch that was."""
    free = [0.0] * STAGES
    for stage, micro, begin, end in record.visits:
        late = begin - max(free[stage], free[stage - 1] if stage else 0.0)
        if late > record.slack:
            return stage, micro, late
        free[stage] = end
    return None


def _first_visits_skipped(record: Record) -> Found:
    """Ask only since when the stage was free, and never at its first visit."""
    free: dict[int, int] = {}
    for stage, micro, begin, end in record.visits:
        late = begin - free.get(stage, begin)
        if late > record.slack:
            return stage, micro, late
        free[stage] = end
    return None


def _slack_taken_off(record: Record) -> Found:
    found = _right(record)
    return found and (*found[:2], found[2] - record.slack)


def _total(record: Record) -> Found:
    found = _right(record)
    lates = [v[3] for v in _lates(record) if v[3] > record.slack]
    return found and (*found[:2], sum(lates))


def _compare(record: Record, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "every visit begins, with no more than the slack, as soon as its stage is free "
        "and its micro-batch there.",
        "the first visit that begins more than the slack after its stage was free AND "
        "its micro-batch there, and how many ms after both.",
    )


MY_FIRST_STALL = Exercise(
    name="09/my_first_stall",
    cases=draw,
    observe=lambda function, record: PLACE.observation(
        function(list(record.visits), record.slack)
    ),
    expect=lambda record: PLACE.observation(_right(record)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "stage_only",
            _found(lambda stage, free, there: free),
            "it asks only since when the stage was free. While the first micro-batch "
            "is on its way, later stages have nothing to do: that is no fault.",
        ),
        PLACE.mistake(
            "first_visits_skipped",
            _first_visits_skipped,
            "it asks only since when the stage was free, and skips each stage's first "
            "visit. Later visits wait for their micro-batch, too.",
        ),
        PLACE.mistake(
            "ten_always",
            _found(slack=10),
            "it takes 10 ms, whatever slack it is given.",
        ),
        PLACE.mistake(
            "from_one",
            _found(answer=lambda v: (v[0] + 1, v[1] + 1, v[3])),
            "stages and micro-batches are counted from 1; both count from 0.",
        ),
        PLACE.mistake(
            "micro_batch_only",
            _found(lambda stage, free, there: there),
            "it asks only since when the micro-batch was there. While the stage works "
            "on another one, it has to wait: that is no fault.",
        ),
        PLACE.mistake(
            "earlier_of_both",
            _found(lambda stage, free, there: min(free, there)),
            "it takes the EARLIER of the two times. A visit needs both: the later one "
            "counts.",
        ),
        PLACE.mistake(
            "first_stage_forgotten",
            _found(lambda stage, free, there: max(free, there) if stage else 1e9),
            "it never looks at stage 0, which has no stage before. Its micro-batches "
            "are there from time 0.",
        ),
        PLACE.mistake(
            "any_micro_batch",
            _stage_before_at_all,
            "it asks when the stage before ended its LAST visit. That may be another "
            "micro-batch: look up this one.",
        ),
        PLACE.mistake(
            "largest",
            _found(which=lambda over: max(over, key=lambda visit: visit[3])),
            "it returns the visit that is late the most. Asked is the FIRST.",
        ),
        PLACE.mistake(
            "last",
            _found(which=lambda over: over[-1]),
            "it returns the last visit that is late. Asked is the first.",
        ),
        PLACE.mistake(
            "swapped",
            _found(answer=lambda v: (v[1], v[0], v[3])),
            "stage and micro-batch are swapped: (stage, micro, late).",
        ),
        PLACE.mistake(
            "slack_taken_off",
            _slack_taken_off,
            "the visit is right, but the slack is taken off. Asked is the whole delay.",
        ),
        PLACE.mistake(
            "moment",
            _found(answer=lambda v: (v[0], v[1], v[2])),
            "the visit is right, but the number is when it began. Asked is how much "
            "too late.",
        ),
        PLACE.mistake(
            "total",
            _total,
            "the visit is right, but the delays of all visits are added up. Asked is "
            "this one's.",
        ),
        PLACE.mistake(
            "slack_itself",
            _found(strict=False),
            "it takes a delay that is equal to the slack. Asked is MORE than that.",
        ),
        PLACE.mistake(
            "nothing_found",
            lambda record: None,
            "it finds nothing in any of the recordings, yet in four of them a visit is "
            "late.",
        ),
    ),
    right="Right on six recordings, two of which have no fault.",
)
