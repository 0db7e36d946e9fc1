"""Quotient and rest."""

EXPECT = {"10/my_plan": "RIGHT"}


def my_plan(training, replicas):
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    return shares, training.rate, training.epochs * -(-training.rows // training.batch)
