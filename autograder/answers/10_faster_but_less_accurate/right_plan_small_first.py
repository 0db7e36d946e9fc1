"""The smaller shares come first."""

EXPECT = {"10/my_plan": "RIGHT"}


def my_plan(training, replicas):
    shares = [(training.batch + replica) // replicas for replica in range(replicas)]
    full, rest = divmod(training.rows, training.batch)
    return shares, training.rate, float(training.epochs * (full + bool(rest)))
