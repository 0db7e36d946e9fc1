"""Each worker alone."""

EXPECT = {"13/my_first_repeat": "WRONG each_worker_alone"}


def my_first_repeat(reads):
    seen = set()
    for epoch, step, worker, row in reads:
        if (epoch, worker, row) in seen:
            return epoch, step, row
        seen.add((epoch, worker, row))
    return None
