"""One number instead of a share for each."""

EXPECT = {"10/my_plan": "CRASHED"}


def my_plan(training, replicas):
    return (
        training.batch // replicas,
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
