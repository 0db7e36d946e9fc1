"""One loop with rows, one without; both ask before the step."""

EXPECT = {"16/my_epoch": "RIGHT"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    for x, y in batches:
        sum_over_workers(1)
        step(x, y)
    while sum_over_workers(0) > 0:
        step(*no_rows)
