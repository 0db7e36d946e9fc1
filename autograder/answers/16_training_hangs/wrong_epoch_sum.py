"""The sum of all steps."""

EXPECT = {"16/my_epoch": "WRONG sum_of_steps"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = list(batches)
    for k in range(int(sum_over_workers(len(own)))):
        step(*(own[k] if k < len(own) else no_rows))
