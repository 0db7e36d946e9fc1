"""The mean number of steps."""

EXPECT = {"16/my_epoch": "WRONG mean_of_steps"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = list(batches)
    workers = sum_over_workers(1)
    for k in range(int(sum_over_workers(len(own)) / workers)):
        step(*(own[k] if k < len(own) else no_rows))
