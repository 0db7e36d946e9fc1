"""The mean of the parts, eagerly."""

EXPECT = {"08/my_train": "WRONG eager_reads_mean_loss"}


def my_train(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(step, args=(x, y, rate))
        losses.append(float(strategy.reduce("MEAN", parts, axis=None)))
    return losses
