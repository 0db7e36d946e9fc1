"""Asked, but without rows the step is left out."""

EXPECT = {"16/my_epoch": "WRONG step_left_out"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        if batch is not None:
            step(*batch)
        batch = next(batches, None)
