"""Numbers that no step gave."""

EXPECT = {"08/my_train": "CRASHED"}


def my_train(strategy, step, batches):
    return [0.0 for batch in batches]
