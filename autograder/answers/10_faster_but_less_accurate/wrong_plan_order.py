"""Rate and steps are swapped."""

EXPECT = {"10/my_plan": "CRASHED"}


def my_plan(training, replicas):
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    return shares, training.epochs * -(-training.rows // training.batch), training.rate
