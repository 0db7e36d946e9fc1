"""The shipped plan, written in another way."""

EXPECT = {"10/my_plan": "WRONG batch_times_replicas"}


def my_plan(training, replicas):
    whole = training.batch * replicas
    return (
        [training.batch for _ in range(replicas)],
        training.rate,
        (training.epochs * training.rows) // whole,
    )
