"""Nothing is returned; the training is not to be changed."""

EXPECT = {"10/my_plan": "CRASHED"}


def my_plan(training, replicas):
    each, more = divmod(training.batch, replicas)
    training.shares = [each + (replica < more) for replica in range(replicas)]
