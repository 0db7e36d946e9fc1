"""The shipped code, renamed."""

EXPECT = {"13/my_first_repeat": "NOT ATTEMPTED"}


def my_first_repeat(reads):
    seen = set()
    for epoch, step, worker, row in reads:
        if (worker, row) in seen:
            return epoch, step, row
        seen.add((worker, row))
    return None
