"""A new set where an epoch begins."""

EXPECT = {"13/my_first_repeat": "RIGHT"}


def my_first_repeat(reads):
    now, seen = None, set()
    for epoch, step, _worker, row in reads:
        if epoch != now:
            now, seen = epoch, set()
        if row in seen:
            return epoch, step, row
        seen.add(row)
    return None
