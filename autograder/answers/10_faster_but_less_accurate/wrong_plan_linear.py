"""The linear rule."""

EXPECT = {"10/my_plan": "WRONG linear_rule"}


def my_plan(training, replicas):
    shares = [training.batch] * replicas
    return (
        shares,
        training.rate * replicas,
        training.epochs * training.rows // sum(shares),
    )
