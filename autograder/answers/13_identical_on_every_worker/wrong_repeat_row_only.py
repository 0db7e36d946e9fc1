"""Only the row."""

EXPECT = {"13/my_first_repeat": "CRASHED"}


def my_first_repeat(reads):
    seen = set()
    for epoch, _step, _worker, row in reads:
        if (epoch, row) in seen:
            return row
        seen.add((epoch, row))
    return None
