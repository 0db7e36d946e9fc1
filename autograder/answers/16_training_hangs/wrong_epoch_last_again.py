"""The last batch again."""

EXPECT = {"16/my_epoch": "WRONG last_batch_again"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    batches = iter(batches)
    last = no_rows
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        last = last if batch is None else batch
        step(*last)
        batch = next(batches, None)
