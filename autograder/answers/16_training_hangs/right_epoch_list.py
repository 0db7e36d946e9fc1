"""All batches in a list first, and asked before every step."""

EXPECT = {"16/my_epoch": "RIGHT"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = list(batches)
    k = 0
    while sum_over_workers(1 if k < len(own) else 0):
        step(*(own[k] if k < len(own) else no_rows))
        k += 1
