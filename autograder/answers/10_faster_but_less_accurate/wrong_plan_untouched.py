"""The shipped code, with a comment."""

EXPECT = {"10/my_plan": "NOT ATTEMPTED"}


def my_plan(training, replicas):
    """Return the rows of each replica in a step, the rate, and the number of steps."""
    # a whole batch each
    shares = [training.batch] * replicas
    steps = training.epochs * training.rows // sum(shares)
    return shares, training.rate, steps
