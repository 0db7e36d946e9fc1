"""Asked once, at the start."""

EXPECT = {"16/my_epoch": "WRONG"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    most = sum_over_workers(1)
    for x, y in batches:
        step(x, y)
    if most < 0:
        step(*no_rows)
