"""All stop with the shortest."""

EXPECT = {"16/my_epoch": "WRONG until_one_ends"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    workers = sum_over_workers(1)
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) == workers:
        step(*batch)
        batch = next(batches, None)
