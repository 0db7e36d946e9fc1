"""From the start again, until all have ended."""

EXPECT = {"16/my_epoch": "WRONG from_the_start_again"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = list(batches)
    k = 0
    while sum_over_workers(k < len(own)) > 0:
        step(*(own[k % len(own)] if own else no_rows))
        k += 1
