"""Other code, the same result."""

EXPECT = {"13/my_first_repeat": "WRONG worker_over_all_epochs"}


def my_first_repeat(reads):
    seen = []
    for epoch, step, worker, row in reads:
        if [worker, row] in seen:
            return epoch, step, row
        seen.append([worker, row])
