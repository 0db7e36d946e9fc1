"""Answers to 13/my_first_repeat, right and wrong, and what the check says of each."""

from collections import Counter

from autograder.answers import crashed, right


@right
def counter(reads):
    """Counts, by epoch and row."""
    times = Counter()
    for epoch, step, _, row in reads:
        times[epoch, row] += 1
        if times[epoch, row] == 2:
            return epoch, step, row


@right
def lists(reads):
    """Every reading is compared with those before it."""
    for at, (epoch, step, _worker, row) in enumerate(reads):
        if any(e == epoch and r == row for e, _, _, r in reads[:at]):
            return [epoch, step, row]


@right
def new_set(reads):
    """A new set where an epoch begins."""
    now, seen = None, set()
    for epoch, step, _worker, row in reads:
        if epoch != now:
            now, seen = epoch, set()
        if row in seen:
            return epoch, step, row
        seen.add(row)
    return None


@crashed
def row_only(reads):
    """Only the row."""
    seen = set()
    for epoch, _step, _worker, row in reads:
        if (epoch, row) in seen:
            return row
        seen.add((epoch, row))
    return None
