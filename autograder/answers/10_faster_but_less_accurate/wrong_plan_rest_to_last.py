"""The last replica takes all of the rest."""

EXPECT = {"10/my_plan": "WRONG rest_to_one"}


def my_plan(training, replicas):
    each = training.batch // replicas
    shares = [each] * (replicas - 1)
    return (
        shares + [training.batch - sum(shares)],
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
