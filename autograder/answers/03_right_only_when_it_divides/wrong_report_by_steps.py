"""Divide the sum by the number of steps."""

EXPECT = {"03/my_epoch_loss": "WRONG divided_by_steps"}


def my_epoch_loss(strategy, steps):
    total = sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)
    return total / len(steps)
