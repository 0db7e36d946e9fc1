"""Two workers are taken for granted."""

EXPECT = {"16/my_epoch": "WRONG until_less_than_two"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) >= 2:
        step(*(batch or no_rows))
        batch = next(batches, None)
