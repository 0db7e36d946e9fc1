"""First agree on the largest number of steps, by counting up."""

EXPECT = {"16/my_epoch": "RIGHT"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = list(batches)
    steps = 0
    while sum_over_workers(float(len(own) > steps)):
        steps += 1
    for k in range(steps):
        x, y = own[k] if k < len(own) else no_rows
        step(x, y)
