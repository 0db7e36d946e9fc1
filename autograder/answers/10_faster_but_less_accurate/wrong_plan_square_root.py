"""A whole batch each, with the square root rule."""

EXPECT = {"10/my_plan": "WRONG"}


def my_plan(training, replicas):
    shares = [training.batch] * replicas
    return (
        shares,
        training.rate * replicas**0.5,
        training.epochs * training.rows // sum(shares),
    )
