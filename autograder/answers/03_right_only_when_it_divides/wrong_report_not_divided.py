"""The sum."""

EXPECT = {"03/my_epoch_loss": "WRONG not_divided"}


def my_epoch_loss(strategy, steps):
    return sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)
