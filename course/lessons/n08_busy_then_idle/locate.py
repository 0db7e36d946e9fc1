"""Locate: which stage of a pipeline limits it, and how long does the step wait?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from course.checks.findings import finding
from course.checks.places import Found, Place
from course.lessons.n08_busy_then_idle.stage_spans import StageSpan, draw_spans
from course.lessons.n08_busy_then_idle.wrong_limit import MISTAKES


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
        # the reader, which limits, had to wait for it: it was less busy in its own time
        record("a step that starts late", [60, 30, 50], [1, 1, 1], (0, 0, 700)),
    ]


def _limit(spans: Sequence[StageSpan]) -> Found:
    """The stage with the most work for each worker, and how long the step waited."""
    work, workers = Counter(), defaultdict(set)
    for stage, worker, _, begin, end in spans:
        work[stage] += end - begin
        workers[stage].add(worker)
    last = max(work)
    steps = [(begin, end) for stage, _, _, begin, end in spans if stage == last]
    waited = sum(after[0] - before[1] for before, after in pairwise(steps))
    return max(work, key=lambda stage: work[stage] / len(workers[stage])), waited


MY_LIMIT = finding(
    "08/my_limit",
    Place(("stage",), ("waited",), nothing=False),
    draw,
    given=lambda record: (list(record.spans),),
    find=_limit,
    wanted="the stage that would pass on the fewest elements per second if it never "
    "had to wait; and how many ms the step waited between its first begin and its last "
    "end.",
    mistakes=MISTAKES,
    right="Right on eight recordings, whose bottlenecks have different reasons.",
)
