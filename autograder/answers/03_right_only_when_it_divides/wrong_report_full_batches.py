"""Divide as if each step had eight rows."""

EXPECT = {"03/my_epoch_loss": "WRONG full_batches"}


def my_epoch_loss(strategy, steps):
    total = sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)
    return total / (8 * len(steps))
