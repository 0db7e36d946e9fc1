"""Shares rounded down, at least 1."""

EXPECT = {"10/my_plan": "WRONG rounded_down_same_steps"}


def my_plan(training, replicas):
    return (
        [max(1, training.batch // replicas)] * replicas,
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
