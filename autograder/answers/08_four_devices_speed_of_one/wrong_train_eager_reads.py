"""The shipped way, written differently."""

EXPECT = {"08/my_train": "WRONG eager_reads"}


def my_train(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        loss = strategy.reduce("SUM", strategy.run(step, args=(x, y, rate)), axis=None)
        losses.append(loss.numpy())
    return losses
