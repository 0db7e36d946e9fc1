"""Who has few rows stops with an error."""

EXPECT = {"16/my_epoch": "CRASHED"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = list(batches)
    if len(own) < 3:
        raise ValueError("too few rows")
    for x, y in own:
        step(x, y)
