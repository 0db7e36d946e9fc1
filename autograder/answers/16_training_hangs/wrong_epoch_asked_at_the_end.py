"""Only who has ended asks."""

EXPECT = {"16/my_epoch": "WRONG asked_at_the_end_only"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    for x, y in batches:
        step(x, y)
    while sum_over_workers(0) > 0:
        step(*no_rows)
