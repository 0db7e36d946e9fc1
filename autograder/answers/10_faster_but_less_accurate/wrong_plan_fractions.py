"""Shares that are no whole numbers."""

EXPECT = {"10/my_plan": "CRASHED"}


def my_plan(training, replicas):
    return (
        [training.batch / replicas] * replicas,
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
