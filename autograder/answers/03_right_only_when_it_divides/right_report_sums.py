"""Sum of losses over number of rows."""

EXPECT = {"03/my_epoch_loss": "RIGHT"}


def my_epoch_loss(strategy, steps):
    total, rows = 0.0, 0
    for losses in steps:
        total += strategy.reduce("SUM", losses, axis=0)
        rows += sum(map(len, strategy.experimental_local_results(losses)))
    return total / rows
