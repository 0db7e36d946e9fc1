"""Wrong answers to 01/my_first_faults: names are codes, docstrings causes."""

from __future__ import annotations

from collections import Counter

from course.checks.exercises import wrong_answers


def _sights(steps):
    """All rows, step by step and replica by replica."""
    return [row for step in steps for shard in step for row in shard]


def _again(sights):
    """The rows that were seen before, in order."""
    return [row for i, row in enumerate(sights) if row in sights[:i]]


def _first(found):
    return next(iter(found), None)


def _never(sights, rows):
    """The rows that are not among `sights`, in order."""
    return [row for row in range(rows) if row not in sights]


def _answer(sights, rows):
    """What is right where rows are seen in this order."""
    return _first(_again(sights)), _first(_never(sights, rows))


def replica_0_only(steps, rows):
    """It reads replica 0 only. It does not see the rows of the other replicas."""
    return _answer([row for step in steps for row in step[0]], rows)


def last_replica_only(steps, rows):
    """It looks at one replica only, the last one."""
    return _answer([row for step in steps for row in step[-1]], rows)


def within_a_step(steps, rows):
    """It looks for repeated rows within each step and forgets them at the next. A
    row can appear again many steps later.
    """
    again = [row for step in steps for row in _again(_sights([step]))]
    return _first(again), _first(_never(_sights(steps), rows))


def within_a_replica(steps, rows):
    """It keeps the rows of each replica apart, so it misses a row that two replicas
    were given.
    """
    own = [(r, row) for step in steps for r, shard in enumerate(step) for row in shard]
    again = [row for _, row in _again(own)]
    return _first(again), _first(_never(_sights(steps), rows))


def across_replicas(steps, rows):
    """It looks for a row that two different replicas were given, so it misses one that
    the same replica was given again.
    """
    sights = [
        (r, row) for step in steps for r, shard in enumerate(step) for row in shard
    ]
    again = (
        row
        for i, (r, row) in enumerate(sights)
        if any(each == row and own != r for own, each in sights[:i])
    )
    return _first(again), _first(_never(_sights(steps), rows))


def replica_by_replica(steps, rows):
    """It reads all steps of one replica, then all steps of the next. Read step by
    step, as the replicas do.
    """
    return _answer(_sights(zip(*steps, strict=True)), rows)


def smallest_repeated(steps, rows):
    """It returns the smallest of the repeated rows. Return the row whose second
    appearance is the earliest.
    """
    return _answer(sorted(_sights(steps)), rows)


def first_sight(steps, rows):
    """It returns the repeated row whose FIRST appearance is the earliest. Return the
    row whose SECOND appearance is the earliest.
    """
    times = Counter(_sights(steps))
    return _first(row for row in times if times[row] > 1), _first(_never(times, rows))


def last_repeated(steps, rows):
    """It returns the last repeat, not the first: a later find overwrites an earlier
    one.
    """
    sights = _sights(steps)
    return _first(_again(sights)[::-1]), _first(_never(sights, rows))


def row_0_overlooked(steps, rows):
    """It treats row 0 as no row: `not again` is true if again is 0. Ask whether again
    is None.
    """
    again, sights = None, _sights(steps)
    for row in _again(sights):
        again = again or row
    return again, _first(_never(sights, rows))


def zip_of_replicas(steps, rows):
    """It goes through the replicas of a step with zip, which takes one row of each and
    stops at the end of the shortest. It never reads the other rows.
    """
    together = (zip(*step) for step in steps)  # noqa: B905
    return _answer(_sights(together), rows)


def largest_never_seen(steps, rows):
    """It returns the largest row that never appears. Return the smallest."""
    sights = _sights(steps)
    return _first(_again(sights)), _first(_never(sights, rows)[::-1])


def up_to_the_largest(steps, rows):
    """It looks for missing rows only up to the largest that appears. Look at all of
    range(rows).
    """
    sights = _sights(steps)
    return _first(_again(sights)), _first(_never(sights, max(sights)))


def rows_from_one(steps, rows):
    """It numbers the rows from 1 to N. They are 0 to N - 1: range(rows)."""
    sights = _sights(steps)
    return _first(_again(sights)), _first(_never([0, *sights], rows + 1))


def swapped(steps, rows):
    """The two answers are in the wrong order: first the row that appears again, then
    the row that never appears.
    """
    return _answer(_sights(steps), rows)[::-1]


def numbers_of_rows(steps, rows):
    """It returns how many rows appear again and how many never appear. Return which
    row is the first.
    """
    times = Counter(_sights(steps))
    return sum(n > 1 for n in times.values()), rows - len(times)


MISTAKES = wrong_answers(__name__)
