"""Counted from 1."""

EXPECT = {"13/my_first_repeat": "WRONG counted_from_1"}


def my_first_repeat(reads):
    seen = set()
    for epoch, step, _worker, row in reads:
        if (epoch, row) in seen:
            return epoch + 1, step + 1, row
        seen.add((epoch, row))
    return None
