"""Divide by the number of shards."""

EXPECT = {"03/my_epoch_loss": "WRONG divided_by_parts"}


def my_epoch_loss(strategy, steps):
    total = sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)
    return total / (len(steps) * strategy.num_replicas_in_sync)
