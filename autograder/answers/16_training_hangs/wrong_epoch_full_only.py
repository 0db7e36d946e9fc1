"""Only full batches."""

EXPECT = {"16/my_epoch": "WRONG small_batches_dropped"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = list(batches)
    size = max((len(x) for x, _ in own), default=0)
    own = [(x, y) for x, y in own if len(x) == size]
    k = 0
    while sum_over_workers(k < len(own)) > 0:
        step(*(own[k] if k < len(own) else no_rows))
        k += 1
