"""A name that does not exist."""

EXPECT = {"10/my_plan": "CRASHED"}


def my_plan(training, replicas):
    return (
        [training.batchsize] * replicas,
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
