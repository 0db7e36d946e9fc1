"""Locate: which line of a job costs the most after the first step, and how often?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from course.checks.exercises import Difference, Exercise, Observation
from course.checks.places import NOTHING, Found, Place
from course.lessons.n08_four_devices_speed_of_one.job_events import Event
from course.lessons.n08_four_devices_speed_of_one.jobs import Job, draw, later

PLACE = Place(("line",), ("times",))
Keep = Callable[[Event], bool]


def _most(counts: Counter) -> Found:
    return counts.most_common(1)[0] if counts else None


def _lines(events: Iterable[Event]) -> Counter:
    return Counter(line for _, line, _ in events)


def _truth(job: Job) -> Found:
    return _most(later(job))


def _all(job: Job) -> Found:
    return _most(_lines(job.events))


def _total_of_right_line(job: Job) -> Found:
    found = _truth(job)
    return (found[0], _lines(job.events)[found[0]]) if found else None


def _without_first_events(job: Job) -> Found:
    return _most(_lines(job.events) - Counter({e[1] for e in job.events}))


def _later_of_all(job: Job) -> Found:
    """The line with the most events of all, and its events after the first step."""
    line, _ = _all(job)
    times = later(job)[line]
    return (line, times) if times else None


def _only(*kinds: str, after: int = 0) -> Callable[[Job], Found]:
    """Look at some kinds of events only, in the steps after `after`."""
    return lambda job: _most(
        _lines(e for e in job.events if e[0] > after and e[2] in kinds)
    )


def _each_kind_apart(job: Job) -> Found:
    counts = Counter((line, kind) for step, line, kind in job.events if step > 0)
    if not counts:
        return None
    ((line, _), times), *_ = counts.most_common(1)
    return line, times


def _swapped(job: Job) -> Found:
    found = _truth(job)
    return (found[1], found[0]) if found else None


def _distinct_steps(job: Job) -> Found:
    pairs = {(step, line) for step, line, _ in job.events if step > 0}
    return _most(Counter(line for _, line in sorted(pairs)))


def _earliest(job: Job) -> Found:
    counts = later(job)
    first = next((line for step, line, _ in job.events if step > 0), None)
    return None if first is None else (first, counts[first])


def _topmost(job: Job) -> Found:
    counts = later(job)
    return (min(counts), counts[min(counts)]) if counts else None


def _last_step(job: Job) -> Found:
    return _most(_lines(e for e in job.events if e[0] == job.events[-1][0]))


def _whole_total(job: Job) -> Found:
    found = _truth(job)
    return (found[0], later(job).total()) if found else None


def _per_step(job: Job) -> Found:
    found = _truth(job)
    return (found[0], found[1] / (job.steps - 1)) if found else None


def _shifted(job: Job) -> Found:
    found = _truth(job)
    return (found[0] + 1, found[1]) if found else None


def _fewest(job: Job) -> Found:
    counts = later(job)
    return min(counts.items(), key=lambda item: item[1]) if counts else None


def _from_step_2(job: Job) -> Found:
    return _most(_lines(e for e in job.events if e[0] > 1))


def _first_where_healthy(job: Job) -> Found:
    """A healthy job gets its most expensive line of the first step."""
    return _truth(job) or _all(job)


def _zero(job: Job) -> Found:
    return _truth(job) or (0, 0)


def _compare(job: Job, got: Observation, truth: Observation) -> Difference:
    difference = PLACE.difference(
        got,
        truth,
        "no line has an event after the first step.",
        "the line with the most events after the first step, and how many these are.",
    )
    line = int(got.values[0])
    if line == NOTHING or line == truth.values[0]:
        return difference
    total, after = _lines(job.events)[line], later(job)[line]
    came = (
        f"{difference.came} Events of line {line}: {total}, {after} of them after the "
        "first step."
    )
    return Difference(came, difference.expected)


MY_BLOCKER = Exercise(
    name="08/my_blocker",
    cases=draw,
    observe=lambda function, job: PLACE.observation(function(list(job.events))),
    expect=lambda job: PLACE.observation(_truth(job)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "with_first_step",
            _all,
            "it counts the first step too. What is paid once, such as the first trace, "
            "does not slow down a long training.",
        ),
        PLACE.mistake(
            "times_with_first_step",
            _total_of_right_line,
            "the line is right, but its events of the first step are counted too.",
        ),
        PLACE.mistake(
            "line_with_first_step",
            _later_of_all,
            "the line is chosen by all its events, also those of the first step; only "
            "their number leaves that step out.",
        ),
        PLACE.mistake(
            "without_first_event",
            _without_first_events,
            "it leaves out the first event of each line, whenever it came. A line may "
            "have several in the first step, or none.",
        ),
        PLACE.mistake(
            "traces_only",
            _only("trace"),
            "it looks at traces only. Reads and steps done in turn cost time too.",
        ),
        PLACE.mistake(
            "reads_only",
            _only("read"),
            "it looks at reads only. Traces and steps done in turn cost time too.",
        ),
        PLACE.mistake(
            "in_turn_only",
            _only("in turn"),
            "it looks only at steps done in turn. Traces and reads cost time too.",
        ),
        PLACE.mistake(
            "without_in_turn",
            _only("trace", "read"),
            "it leaves out steps that were done in turn.",
        ),
        PLACE.mistake(
            "without_reads",
            _only("trace", "in turn"),
            "it leaves out reads: while the host waits for a value, it prepares "
            "nothing.",
        ),
        PLACE.mistake(
            "without_traces",
            _only("read", "in turn"),
            "it leaves out traces. One in the first step is normal, one in every step "
            "is not.",
        ),
        PLACE.mistake(
            "each_kind_apart",
            _each_kind_apart,
            "it counts traces, reads and steps in turn apart. A line may cost two of "
            "them: asked is the number of its events of all kinds.",
        ),
        PLACE.mistake(
            "swapped",
            _swapped,
            "the two numbers are right, in the wrong order: first the line.",
        ),
        PLACE.mistake(
            "steps_not_events",
            _distinct_steps,
            "it counts the steps in which a line has an event. A line may have several "
            "in one step.",
        ),
        PLACE.mistake(
            "earliest",
            _earliest,
            "it takes the line of the first event after the first step, not the line "
            "with the most.",
        ),
        PLACE.mistake(
            "topmost",
            _topmost,
            "it takes the topmost line with an event after the first step, not the "
            "line with the most.",
        ),
        PLACE.mistake(
            "last_step_only",
            _last_step,
            "it looks at the last step only. A line may cost something in every "
            "second step.",
        ),
        PLACE.mistake(
            "all_lines_together",
            _whole_total,
            "the line is right, but the number is that of all lines together.",
        ),
        PLACE.mistake(
            "per_step",
            _per_step,
            "the line is right, but the number is divided by the steps. Asked is how "
            "many events there are.",
        ),
        PLACE.mistake(
            "one_too_far",
            _shifted,
            "the line is one too far: the first line has the number 0.",
        ),
        PLACE.mistake(
            "fewest",
            _fewest,
            "it takes the line with the fewest events.",
        ),
        PLACE.mistake(
            "from_step_2",
            _from_step_2,
            "it leaves out two steps: the first one has the number 0.",
        ),
        PLACE.mistake(
            "blames_a_healthy_job",
            _first_where_healthy,
            "in the healthy job it names a line of the first step. Nothing costs "
            "anything later there: the answer is None.",
        ),
        PLACE.mistake(
            "zero_for_healthy",
            _zero,
            "for the healthy job it returns line 0 and 0 times. Asked is None.",
        ),
        PLACE.mistake(
            "nothing_found",
            lambda job: None,
            "it finds nothing in any job.",
        ),
    ),
    right="Right on eight jobs that really ran, one of them healthy.",
)
