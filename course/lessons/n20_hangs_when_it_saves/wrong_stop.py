"""Wrong answers to 20/my_stop: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from course.checks.exercises import wrong_answers

Losses = Sequence[tuple[float, int]]


def _means(losses: Losses) -> tuple[float, float]:
    """Return this worker's own mean loss, before and now."""
    (sum_before, before), (sum_now, now) = losses[-2:]
    return sum_before / before, sum_now / now


def _mean(pair: tuple[float, int], total: Callable) -> float:
    """Return the mean loss over the rows of all workers."""
    return total(pair[0]) / total(float(pair[1]))


def own_loss(losses: Losses, total: Callable) -> bool:
    """Each worker decides by its own loss. One stops, and the others wait for it in the
    next step.
    """
    if len(losses) < 2:
        return False
    before, now = _means(losses)
    return now >= before


def any_worker(losses: Losses, total: Callable) -> bool:
    """All stop as soon as ONE worker's loss is worse. They agree, but one device would
    go on as long as the loss of all rows falls.
    """
    if len(losses) < 2:
        return False
    before, now = _means(losses)
    return total(float(now >= before)) > 0


def all_workers(losses: Losses, total: Callable) -> bool:
    """They stop when the loss of EVERY worker is worse. They agree, but too late: one
    device stops when the loss of all rows is worse.
    """
    if len(losses) < 2:
        return False
    before, now = _means(losses)
    return total(float(now >= before)) == total(1.0)


def most_workers(losses: Losses, total: Callable) -> bool:
    """They vote, and the majority decides. A worker with few rows counts as much as one
    with many.
    """
    if len(losses) < 2:
        return False
    before, now = _means(losses)
    return 2 * total(float(now >= before)) > total(1.0)


def mean_of_means(losses: Losses, total: Callable) -> bool:
    """It sums the means of the workers. A mean over few rows counts as much as one over
    many, so total the losses and the numbers of rows separately.
    """
    if len(losses) < 2:
        return False
    before, now = _means(losses)
    return total(now) >= total(before)


def sums_only(losses: Losses, total: Callable) -> bool:
    """It compares the sums of all losses, and not their means. An epoch with more rows
    has a larger sum.
    """
    if len(losses) < 2:
        return False
    return total(losses[-1][0]) >= total(losses[-2][0])


def equal_goes_on(losses: Losses, total: Callable) -> bool:
    """It goes on where the loss is the same as before. It is not below, so stop."""
    return len(losses) > 1 and _mean(losses[-1], total) > _mean(losses[-2], total)


def first_against_last(losses: Losses, total: Callable) -> bool:
    """It compares with the first epoch, not with the one before."""
    return len(losses) > 1 and _mean(losses[-1], total) >= _mean(losses[0], total)


def better_stops(losses: Losses, total: Callable) -> bool:
    """It stops where the loss is better."""
    return len(losses) > 1 and _mean(losses[-1], total) < _mean(losses[-2], total)


def stops_at_once(losses: Losses, total: Callable) -> bool:
    """It stops after the first epoch, where there is none before it to compare with."""
    return _mean(losses[-1], total) >= _mean(losses[-2:][0], total)


def never(losses: Losses, total: Callable) -> bool:
    """It never stops."""
    return False


def summed_only_where_worse(losses: Losses, total: Callable) -> bool:
    """Only a worker whose own loss is worse calls `total`. The others do not, so it
    waits forever.
    """
    if len(losses) < 2:
        return False
    before, now = _means(losses)
    return now >= before and total(now) >= total(before)


MISTAKES = wrong_answers(__name__)
