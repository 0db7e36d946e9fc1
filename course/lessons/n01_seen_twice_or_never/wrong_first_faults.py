"""Wrong answers to 01/my_first_faults: names are codes, docstrings causes."""

from __future__ import annotations

from collections import Counter


def replica_0_only(steps, rows):
    """It reads replica 0 only. What the other replicas saw is invisible to it:
    neither seen again, nor seen at all.
    """
    own = [row for step in steps for row in step[0]]
    again = [row for i, row in enumerate(own) if row in own[:i]]
    never = [row for row in range(rows) if row not in own]
    return (again or [None])[0], (never or [None])[0]


def last_replica_only(steps, rows):
    """It looks at one replica only, the last one."""
    again, seen = None, set()
    for step in steps:
        for row in step[-1]:
            if row in seen and again is None:
                again = row
            seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)


def within_a_step(steps, rows):
    """It looks for repeated rows within each step and forgets them at the next. A
    row can come again many steps later.
    """
    again, ever = None, set()
    for step in steps:
        seen = set()
        for shard in step:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
        ever |= seen
    return again, min(set(range(rows)) - ever, default=None)


def within_a_replica(steps, rows):
    """It keeps the rows of each replica apart, so it misses a row that came to two
    replicas.
    """
    again, seen = None, [set() for _ in steps[0]]
    for step in steps:
        for replica, shard in enumerate(step):
            for row in shard:
                if row in seen[replica] and again is None:
                    again = row
                seen[replica].add(row)
    return again, min(set(range(rows)) - set().union(*seen), default=None)


def replica_by_replica(steps, rows):
    """It reads all steps of one replica, then all steps of the next. Read step by
    step, as the replicas do.
    """
    again, seen = None, set()
    for lane in zip(*steps, strict=True):
        for shard in lane:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)


def smallest_repeated(steps, rows):
    """It returns the smallest of the repeated rows. Asked is the row whose second
    appearance comes first.
    """
    sights = sorted(row for step in steps for shard in step for row in shard)
    again = [row for row in sights if sights.count(row) > 1]
    never = [row for row in range(rows) if row not in sights]
    return (again or [None])[0], (never or [None])[0]


def first_sight(steps, rows):
    """It returns the repeated row whose FIRST appearance comes first. Asked is the
    row whose SECOND appearance comes first.
    """
    times = Counter(row for step in steps for shard in step for row in shard)
    again = next((row for row, n in times.items() if n > 1), None)
    return again, next((row for row in range(rows) if row not in times), None)


def last_repeated(steps, rows):
    """It returns the last repeat, not the first: a later find overwrites an earlier
    one.
    """
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)


def row_0_overlooked(steps, rows):
    """It takes row 0 for no row, as `not again` does where again is 0. Ask whether
    again is None.
    """
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen and not again:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)


def zip_of_replicas(steps, rows):
    """It goes through the replicas of a step with zip: first the first row of each,
    and it ends with the shortest. The other rows are never read.
    """
    again, seen = None, set()
    for step in steps:
        for together in zip(*step):  # noqa: B905
            for row in together:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)


def largest_never_seen(steps, rows):
    """It returns the largest row never seen. Asked is the smallest."""
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, max(set(range(rows)) - seen, default=None)


def rows_from_one(steps, rows):
    """It takes the rows for 1 to N. They are 0 to N - 1: range(rows)."""
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, min(set(range(1, rows + 1)) - seen, default=None)


def swapped(steps, rows):
    """The two answers stand in the wrong order: first the row seen again, then the
    row never seen.
    """
    sights = [row for step in steps for shard in step for row in shard]
    again = [row for i, row in enumerate(sights) if row in sights[:i]]
    never = [row for row in range(rows) if row not in sights]
    return (never or [None])[0], (again or [None])[0]


def numbers_of_rows(steps, rows):
    """It returns how many rows came again and how many never came. Asked is which
    row is the first.
    """
    times = Counter(row for step in steps for shard in step for row in shard)
    return sum(n > 1 for n in times.values()), rows - len(times)


MISTAKES = (
    replica_0_only,
    last_replica_only,
    within_a_step,
    within_a_replica,
    replica_by_replica,
    smallest_repeated,
    first_sight,
    last_repeated,
    row_0_overlooked,
    zip_of_replicas,
    largest_never_seen,
    rows_from_one,
    swapped,
    numbers_of_rows,
)
