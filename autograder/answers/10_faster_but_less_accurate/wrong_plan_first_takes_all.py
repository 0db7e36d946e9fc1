"""One replica does everything."""

EXPECT = {"10/my_plan": "WRONG one_replica_works"}


def my_plan(training, replicas):
    return (
        [training.batch] + [0] * (replicas - 1),
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
