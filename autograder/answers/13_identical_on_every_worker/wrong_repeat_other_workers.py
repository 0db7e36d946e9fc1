"""A worker may repeat itself."""

EXPECT = {"13/my_first_repeat": "WRONG other_workers_only"}


def my_first_repeat(reads):
    seen = {}
    for epoch, step, worker, row in reads:
        if seen.setdefault((epoch, row), worker) != worker:
            return epoch, step, row
    return None
