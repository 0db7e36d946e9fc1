"""The shipped code, with a comment."""

EXPECT = {"08/my_train": "NOT ATTEMPTED"}


def my_train(strategy, step, batches):
    losses = []
    # every batch
    for x, y, rate in batches:
        parts = strategy.run(step, args=(x, y, rate))
        loss = strategy.reduce("SUM", parts, axis=None)
        losses.append(float(loss))
    return losses
