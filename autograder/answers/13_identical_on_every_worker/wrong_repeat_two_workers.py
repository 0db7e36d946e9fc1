"""Workers 0 and 1 only."""

EXPECT = {"13/my_first_repeat": "WRONG two_workers_only"}


def my_first_repeat(reads):
    seen = set()
    for epoch, step, worker, row in reads:
        if worker > 1:
            continue
        if (epoch, row) in seen:
            return epoch, step, row
        seen.add((epoch, row))
