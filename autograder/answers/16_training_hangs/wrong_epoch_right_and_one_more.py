"""A right loop, and then one step without rows."""

EXPECT = {"16/my_epoch": "WRONG step_without_rows"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        step(*(no_rows if batch is None else batch))
        batch = next(batches, None)
    step(*no_rows)
