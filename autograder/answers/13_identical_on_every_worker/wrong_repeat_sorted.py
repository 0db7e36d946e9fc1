"""Sorted by worker first."""

EXPECT = {"13/my_first_repeat": "WRONG worker_by_worker"}


def my_first_repeat(reads):
    seen = set()
    for epoch, step, _worker, row in sorted(reads, key=lambda r: (r[0], r[2])):
        if (epoch, row) in seen:
            return epoch, step, row
        seen.add((epoch, row))
