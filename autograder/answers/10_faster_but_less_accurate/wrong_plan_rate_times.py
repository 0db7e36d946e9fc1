"""The rate is multiplied though the batch is held."""

EXPECT = {"10/my_plan": "WRONG rate_multiplied"}


def my_plan(training, replicas):
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    return (
        shares,
        training.rate * replicas,
        training.epochs * -(-training.rows // training.batch),
    )
