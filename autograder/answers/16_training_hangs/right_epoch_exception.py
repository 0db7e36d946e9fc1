"""StopIteration is caught instead of a default."""

EXPECT = {"16/my_epoch": "RIGHT"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    batches = iter(batches)
    while True:
        try:
            batch, have = next(batches), 1
        except StopIteration:
            batch, have = no_rows, 0
        if not sum_over_workers(have):
            return
        step(*batch)
