"""Further exercise: break a right training so that no count of operations can tell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from course.checks.exercises import (
    TOLERANCE,
    Data,
    Difference,
    Exercise,
    Observation,
)
from course.lessons.n07_only_one_device_works.trainings import (
    Case,
    Work,
    draw,
    observation,
    observe_once,
    seen,
    told_rows,
    truth,
)
from course.lessons.n07_only_one_device_works.wrong_trainings import (
    applied,
    first_listed,
    listed,
    mistake,
    on,
)
from course.runs.update_rules import (
    Rule,
    count,
    descend,
    each,
    mean_gradient,
    summed_gradient,
)
from course.runs.workloads import Rows

FEW = 3  # rows of each other device; fewer than its columns could not be counted


def _observation(
    case: Case, copies: np.ndarray, forward: Work, backward: Work, held: Sequence[str]
) -> Observation:
    """As of any training; operations count only where devices have other numbers."""
    plain = observation(case, copies, forward, backward, held)
    times = [
        [work.get(name, (0, 0))[0] for name in case.devices]
        for work in (forward, backward)
    ]
    even = all(len(set(numbers)) == 1 for numbers in times)
    told = () if even else (*times[0], *times[1])
    return Observation(plain.values, plain.counts | {"times": told})


def _read(case: Case, data: Data) -> Observation:
    return _observation(case, *seen(data))


def _lopsided(case: Case) -> dict[str, tuple[int, int]]:
    """One multiplication on each device: few rows on all but the first."""
    return dict.fromkeys(case.devices, (1, FEW)) | {case.devices[0]: (1, _most(case))}


def _most(case: Case) -> int:
    return case.job.batch - FEW * (len(case.devices) - 1)


def _last_has_most(case: Case) -> dict[str, tuple[int, int]]:
    rows = list(_lopsided(case).values())
    return dict(zip(case.devices, rows[::-1], strict=True))


def _in_every_step(case: Case, work: dict[str, tuple[int, int]]) -> Work:
    steps = case.job.steps
    return {name: (steps * n, steps * n * rows) for name, (n, rows) in work.items()}


def _expect(case: Case) -> Observation:
    work = _in_every_step(case, _lopsided(case))
    return _observation(case, truth(case), work, work, case.devices)


def _own_means(copies: np.ndarray, shards: list[Rows]) -> np.ndarray:
    """The mean gradients of the lopsided shares: (replicas, 2)."""
    x = np.concatenate([shard.x for shard in shards])
    y = np.concatenate([shard.y for shard in shards])
    cuts = np.split(
        np.arange(len(x)), range(len(x) - FEW * (len(shards) - 1), len(x), FEW)
    )
    whole = Rows(np.arange(len(x)), x, y)
    return each(mean_gradient, copies, [whole.take(cut) for cut in cuts])


def _combined(how) -> Rule:
    return lambda copies, shards: descend(copies, how(_own_means(copies, shards)))


def _whole_step_each(copies: np.ndarray, shards: list[Rows]) -> np.ndarray:
    """The sequential step as many times as there are replicas, at once."""
    total = each(summed_gradient, copies, shards).sum(axis=0)
    return descend(copies, len(shards) * total / count(shards))


def _compare(case: Case, got: Observation, wanted: Observation) -> Difference:
    off = np.abs(got.values - wanted.values).max()
    work = told_rows(case, got, wanted)
    rows = (
        f"{_most(case)} rows on {case.devices[0]} and {FEW} on each of "
        f"{', '.join(case.devices[1:])}, forward and for the gradient."
    )
    if not off <= TOLERANCE:
        return Difference(
            f"After {case.job.steps} steps the weights differ from those of one device "
            f"by up to {off:.2g}. {work}",
            f"Expected: weights within {TOLERANCE:.0e} of the sequential run, and "
            f"{rows}",
        )
    if got.counts["times"]:
        named = zip(case.devices * 2, got.counts["times"], strict=True)
        told = [f"{name} {number}" for name, number in named]
        forward, back = told[: len(case.devices)], told[len(case.devices) :]
        return Difference(
            "The weights are right, but the probe would tell. Multiplications "
            f"forward: {', '.join(forward)}; for the gradient: {', '.join(back)}.",
            f"Expected: as many on each device, with {rows}",
        )
    return Difference(f"The weights are right. {work}", f"Expected: {rows}")


_mistake = partial(mistake, seen=_observation)

MY_LOPSIDED = Exercise(
    name="07/my_lopsided",
    cases=draw,
    observe=observe_once,
    read=_read,
    expect=_expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "nothing_broken",
            "nothing is broken: every device still multiplies an equal share.",
        ),
        _mistake(
            "means_averaged",
            "the rows are as they should be, but the weights tell: the mean of few "
            "rows counts as much as the mean of many. Weight each by its number of "
            "rows.",
            _lopsided,
            rule=_combined(lambda means: means.mean(axis=0)),
        ),
        _mistake(
            "means_added",
            "the rows are as they should be, but the weights tell: the mean gradients "
            "of the shares are added up. Weight each by its number of rows.",
            _lopsided,
            rule=_combined(lambda means: means.sum(axis=0)),
        ),
        _mistake(
            "first_counts_alone",
            "the rows are as they should be, but the weights tell: only the rows of "
            "devices[0] have an effect.",
            _lopsided,
            rule=_combined(lambda means: means[0]),
        ),
        _mistake(
            "all_on_the_first",
            "devices[0] does everything, and the others nothing: a count of operations "
            "would tell.",
            on(first_listed, all_rows=True),
        ),
        _mistake(
            "shares_on_the_first",
            "all multiplications run on devices[0], and the others have none: a count "
            "of operations would tell. Let each replica keep its device, and change "
            "which rows it gets.",
            on(first_listed, times=None),
        ),
        _mistake(
            "whole_batch_everywhere",
            "every device multiplies the whole batch. All devices have equally much to "
            "do, as before, only more of it.",
            on(listed, all_rows=True),
        ),
        _mistake(
            "whole_batch_summed",
            "every device multiplies the whole batch, and the gradients are added up.",
            on(listed, all_rows=True),
            rule=_whole_step_each,
        ),
        _mistake(
            "last_has_most",
            "it is the last device that multiplies most rows; asked for is devices[0].",
            _last_has_most,
        ),
        _mistake(
            "no_update",
            "w is never changed: apply the combined gradient with w.assign_sub.",
            on(listed, times=0),
            rule=applied(lambda gradients: 0 * gradients[0]),
        ),
    ),
    right="The weights are right, and each device has as many multiplications as any "
    "other. Yet one of them does nearly all the work.",
)
