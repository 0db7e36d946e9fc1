"""Shares rounded down, to no row at all."""

EXPECT = {"10/my_plan": "CRASHED"}


def my_plan(training, replicas):
    return (
        [training.batch // replicas] * replicas,
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
