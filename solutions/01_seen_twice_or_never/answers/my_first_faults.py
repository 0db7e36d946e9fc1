"""Answers to 01/my_first_faults, right and wrong, and what the check says of each."""

from itertools import chain

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def faults_chain(steps, rows):
    """Chain everything, stop at the first row that is known."""
    times = [0] * rows
    again = None
    for row in chain.from_iterable(chain.from_iterable(steps)):
        times[row] += 1
        if times[row] == 2 and again is None:
            again = row
    return [again, times.index(0) if 0 in times else None]


@right
def counter(steps, rows):
    """Keep a list of all sights; look each new row up in it."""
    sights = [row for step in steps for shard in step for row in shard]
    again = [row for i, row in enumerate(sights) if row in sights[:i]]
    never = [row for row in range(rows) if row not in sights]
    return (again or [None])[0], (never or [None])[0]


@right
def numpy(steps, rows):
    """NumPy: the first position that is no first occurrence."""
    sights = np.concatenate([np.array(s, int) for step in steps for s in step])
    repeats = np.ones(len(sights), bool)
    repeats[np.unique(sights, return_index=True)[1]] = False
    never = np.setdiff1d(np.arange(rows), sights)
    again = sights[repeats]
    return (again[0] if len(again) else None, never[0] if len(never) else None)


@wrong
def always_healthy(steps, rows):
    """No recording has a fault: none of the mistakes the check knows."""
    return None, None


@crashed
def flat(steps, rows):
    """Take a step for one list of rows."""
    seen = set()
    for step in steps:
        for row in step:
            seen.add(row + 0)
    return None, min(set(range(rows)) - seen, default=None)


@wrong
def nothing(steps, rows):
    """Print instead of return."""
    print(steps)


@wrong
def zero_is_none(steps, rows):
    """Take row 0 for no row: none of the mistakes the check knows."""
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, min(set(range(1, rows)) - seen, default=None) if again else None


@wrong
def row_0_never_missing(steps, rows):
    """Look for missing rows from row 1 on."""
    sights = [row for step in steps for shard in step for row in shard]
    again = [row for i, row in enumerate(sights) if row in sights[:i]]
    never = [row for row in range(1, rows) if row not in sights]
    return (again or [None])[0], (never or [None])[0]


@wrong
def ten_rows(steps, rows):
    """Look for missing rows among the ten of the example."""
    sights = [row for step in steps for shard in step for row in shard]
    again = [row for i, row in enumerate(sights) if row in sights[:i]]
    never = [row for row in range(10) if row not in sights]
    return (again or [None])[0], (never or [None])[0]


@wrong("up_to_the_largest")
def last_row_never_missing(steps, rows):
    """Compare the rows that came, in order, with 0, 1, 2 and so on."""
    sights = [row for step in steps for shard in step for row in shard]
    again = [row for i, row in enumerate(sights) if row in sights[:i]]
    came = sorted(set(sights))
    never = [i for i, row in enumerate(came) if row != i]
    return (again or [None])[0], (never or [None])[0]


@wrong("across_replicas")
def owners(steps, rows):
    """Remember which replica has a row; complain where another one has it, too."""
    again, owner = None, {}
    for step in steps:
        for replica, shard in enumerate(step):
            for row in shard:
                if owner.setdefault(row, replica) != replica and again is None:
                    again = row
    return again, min(set(range(rows)) - set(owner), default=None)
