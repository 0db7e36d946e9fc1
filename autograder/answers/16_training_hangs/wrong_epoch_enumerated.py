"""The shipped code, in other words."""

EXPECT = {"16/my_epoch": "WRONG own_steps_only"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    for batch in batches:
        step(batch[0], batch[1])
