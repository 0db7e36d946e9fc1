"""Asked after the step whether it had rows."""

EXPECT = {"16/my_epoch": "WRONG step_without_rows"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    batches = iter(batches)
    left = True
    while left:
        batch = next(batches, None)
        step(*(no_rows if batch is None else batch))
        left = sum_over_workers(batch is not None) > 0
