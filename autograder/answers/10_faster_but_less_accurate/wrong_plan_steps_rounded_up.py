"""A whole batch each, with complete epochs."""

EXPECT = {"10/my_plan": "WRONG batch_times_replicas_all_rows"}


def my_plan(training, replicas):
    whole = training.batch * replicas
    return (
        [training.batch] * replicas,
        training.rate,
        training.epochs * -(-training.rows // whole),
    )
