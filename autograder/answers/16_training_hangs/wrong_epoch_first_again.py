"""The first batch again."""

EXPECT = {"16/my_epoch": "WRONG first_batch_again"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = list(batches)
    spare = own[0] if own else no_rows
    k = 0
    while sum_over_workers(k < len(own)) > 0:
        step(*(own[k] if k < len(own) else spare))
        k += 1
