"""A whole batch each, and as many steps as on one device."""

EXPECT = {"10/my_plan": "WRONG batch_times_replicas_same_steps"}


def my_plan(training, replicas):
    return (
        [training.batch] * replicas,
        training.rate,
        training.epochs * -(-training.rows // training.batch),
    )
