"""The shares are right, the steps are the shipped ones."""

EXPECT = {"10/my_plan": "WRONG shares_right_steps_of_the_large_batch"}


def my_plan(training, replicas):
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    return (
        shares,
        training.rate,
        training.epochs * training.rows // (training.batch * replicas),
    )
