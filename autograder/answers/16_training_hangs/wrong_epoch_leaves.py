"""Asks, and leaves without rows."""

EXPECT = {"16/my_epoch": "WRONG leaves_when_it_has_none"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    batches = iter(batches)
    while True:
        batch = next(batches, None)
        if sum_over_workers(batch is not None) == 0 or batch is None:
            break
        step(*batch)
