"""Core exercise: threads that update one variable, at once and without loss."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n05_different_every_run.jobs import Job, draw
from course.lessons.n05_different_every_run.meeting import Meeting, meet

SOME = 2  # stands for any number of threads between one and all of them


def _observe(function: Callable, job: Job) -> Observation:
    return _observation(meet(function, job.start, job.deltas, job.added, job.order))


def _observation(seen: Meeting) -> Observation:
    return Observation(
        np.array([seen.final]),
        {
            "calls": seen.calls,
            "read": seen.read,
            "threads": (_some(seen.threads, len(seen.calls)),),
            "met": (_some(seen.met, len(seen.calls)),),
            "unfinished": (seen.unfinished,),
        },
        told=f"at most {seen.met} of {len(seen.calls)} calls of work went on at the "
        f"same time, and work was called in {seen.threads} of {len(seen.calls)} "
        "threads",
    )


def _some(number: int, threads: int) -> int:
    """What a number of threads counts as: 0, 1, SOME or all."""
    return SOME if 1 < number < threads else number


def _expected(job: Job, final: float | None = None, **other: object) -> Observation:
    """Return what a right answer shows, except for what is given."""
    threads = len(job.deltas)
    seen = {
        "final": job.start + _total(job) if final is None else final,
        "calls": (1,) * threads,
        "read": (1,) * threads,
        "threads": threads,
        "met": threads,
        "unfinished": 0,
        **other,
    }
    return _observation(Meeting(**seen))


def _total(job: Job) -> float:
    """What all threads together have to add."""
    return sum(job.added)


def _compare(job: Job, got: Observation, truth: Observation) -> Difference:
    threads, counts = len(job.deltas), got.counts
    final, wanted = float(got.values[0]), float(truth.values[0])
    calls = counts["calls"]
    each = f"Expected: one call of work for each delta, in {threads} threads."
    if set(calls) != {1}:
        place = next(i for i, n in enumerate(calls) if n != 1)
        times = "never" if calls[place] == 0 else f"{calls[place]} times"
        return Difference(
            f"work was called {times} for delta {job.deltas[place]:g}; "
            f"the variable ended at {final:g}.",
            each,
        )
    if counts["unfinished"] != (0,):
        left = counts["unfinished"][0]
        return Difference(
            f"The function returned while {left} of {sum(calls)} calls of work still "
            f"ran. The variable held {final:g} then.",
            "Expected: it returns after all calls have ended, and the variable holds "
            f"{wanted:g}.",
        )
    if abs(final - wanted) > 1e-5:
        return Difference(
            "Every call of work returned, but the variable ended at "
            f"{final:g}.{_arrived(job, final)}",
            f"Expected {wanted:g}: {job.start:g} plus what work returned, "
            f"{' + '.join(f'{a:g}' for a in job.added)}.",
        )
    if 0 in counts["read"]:
        delta = job.deltas[counts["read"].index(0)]
        return Difference(
            f"The variable ended at {final:g}, which is right. But for delta "
            f"{delta:g}, work got a value that the variable never held.",
            "Expected: work(value, delta) gets the value that the thread has read.",
        )
    return Difference(
        f"Nothing was lost: the variable ended at {final:g}. But {got.told}.",
        f"Expected: {threads} threads, all in work at the same time.",
    )


def _arrived(job: Job, final: float) -> str:
    """Say whose updates make up the result, where some of them do."""
    places = range(len(job.added))
    for count in range(len(job.added)):
        for some in combinations(places, count):
            if abs(job.start + sum(job.added[i] for i in some) - final) < 1e-3:
                lost = [f"{job.deltas[i]:g}" for i in places if i not in some]
                there = [f"{job.deltas[i]:g}" for i in some]
                kept = f" Updates kept: {', '.join(there)}." if there else ""
                return f" Updates lost, by delta: {', '.join(lost)}.{kept}"
    return ""


def _last(job: Job) -> float:
    return job.added[job.order[-1]]


def _joined_last(job: Job) -> Observation:
    done = job.order.index(len(job.deltas) - 1) + 1
    there = sum(job.added[place] for place in job.order[:done])
    return _expected(job, job.start + there, unfinished=len(job.deltas) - done)


def _pool(job: Job) -> int:
    """A pool that is large enough for a few deltas."""
    return min(len(job.deltas), 4)


def _none(job: Job, final: float) -> Observation:
    return _expected(job, final, calls=(0,) * len(job.deltas), threads=0, met=0)


MY_UPDATE = Exercise(
    name="05/my_update",
    cases=draw,
    observe=_observe,
    expect=_expected,
    compare=_compare,
    mistakes=(
        Mistake(
            "lost_updates",
            "each thread writes the value it read BEFORE work plus its own amount, and "
            "so overwrites what others have written since. A lock around the write "
            "only, or a write in a tf.function, changes nothing: the value is already "
            "outdated.",
            lambda job: _expected(job, job.start + _last(job)),
        ),
        Mistake(
            "gap_left_open",
            "the value is read again after work. That makes the gap smaller but does "
            "not close it: another thread wrote between this read and the write. "
            "Keras's own assign_add, a tf.function around read and write, or one lock "
            "for each thread do not close it; one lock that all threads share does.",
            lambda job: _expected(
                job, job.start + _total(job) - job.added[job.order[0]]
            ),
        ),
        Mistake(
            "one_at_a_time",
            "nothing is lost, but only one thread at a time works: work is inside the "
            "lock, or each thread is joined before the next one starts. Then threads "
            "save no time. Protect the update only, not work.",
            lambda job: _expected(job, met=1),
        ),
        Mistake(
            "one_thread",
            "nothing is lost, because one thread makes all calls of work, one after "
            "the other. Start one thread for each delta.",
            lambda job: _expected(job, threads=1, met=1),
        ),
        Mistake(
            "two_at_a_time",
            "nothing is lost, but only two threads work, however many deltas there "
            "are: the pool is too small.",
            lambda job: _expected(job, threads=2, met=2),
        ),
        Mistake(
            "fixed_pool",
            "nothing is lost, but with many deltas there are too few threads: their "
            "number is fixed, by you or as the default size of a pool.",
            lambda job: _expected(job, threads=_pool(job), met=_pool(job)),
        ),
        Mistake(
            "work_not_called",
            "the deltas are added, and work is never called. Add what "
            "work(value, delta) returns.",
            lambda job: _none(job, job.start + sum(job.deltas)),
        ),
        Mistake(
            "nothing_started",
            "work is never called, and nothing is added: the threads are not started, "
            "or they stop before. In a pool, an error stays hidden until you ask the "
            "future for its result.",
            lambda job: _none(job, job.start),
        ),
        Mistake(
            "result_not_used",
            "work is called, but its result is not used: the deltas are added. Add "
            "what work(value, delta) returns.",
            lambda job: _expected(job, job.start + sum(job.deltas)),
        ),
        Mistake(
            "not_joined",
            "the updates may be right, but they are too late: the function returns "
            "while its threads still run. Join every thread before you return.",
            lambda job: _expected(job, job.start, unfinished=len(job.deltas)),
        ),
        Mistake(
            "last_joined_only",
            "only the last thread is joined, and threads do not end in the order in "
            "which they started. Join every one.",
            _joined_last,
        ),
        Mistake(
            "nothing_written",
            "work is called, but the variable is never changed. In a pool, an error "
            "after work stays hidden until you ask the future for its result.",
            lambda job: _expected(job, job.start),
        ),
        Mistake(
            "start_lost",
            "the sum of the amounts is assigned, without what the variable held "
            "before.",
            lambda job: _expected(job, _total(job)),
        ),
        Mistake(
            "amount_assigned",
            "each thread assigns its own amount, which replaces the value instead of "
            "adding to it.",
            lambda job: _expected(job, _last(job)),
        ),
        Mistake(
            "value_added_too",
            "each thread adds value + amount. What work returns is the amount to add; "
            "the variable holds the value already.",
            lambda job: _expected(job, job.start * (1 + len(job.deltas)) + _total(job)),
        ),
        Mistake(
            "averaged",
            "the mean of the amounts is added. Add their sum.",
            lambda job: _expected(job, job.start + _total(job) / len(job.deltas)),
        ),
        Mistake(
            "value_not_read",
            "work gets a value that no thread read from the variable. In a real job, "
            "the amount depends on that value.",
            lambda job: _expected(job, read=(0,) * len(job.deltas)),
        ),
        Mistake(
            "work_called_twice",
            "work is called twice for each delta. It is the slow part: call it once, "
            "and keep what it returns.",
            lambda job: _expected(job, calls=(2,) * len(job.deltas)),
        ),
    ),
    right="Nothing was lost, and all threads were in work at the same time.",
    locate="05/my_lost_update",
)
