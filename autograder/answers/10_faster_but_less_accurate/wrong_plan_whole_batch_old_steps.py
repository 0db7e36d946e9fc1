"""A whole batch for each replica, and as many steps as one device had."""

EXPECT = {"10/my_plan": "WRONG batch_times_replicas_old_steps"}


def my_plan(training, replicas):
    steps = training.epochs * training.rows // training.batch
    return [training.batch] * replicas, training.rate, steps
