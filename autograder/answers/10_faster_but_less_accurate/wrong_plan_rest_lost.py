"""The last step of an epoch is left out."""

EXPECT = {"10/my_plan": "WRONG rest_of_the_epoch_lost"}


def my_plan(training, replicas):
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    return shares, training.rate, training.epochs * (training.rows // training.batch)
