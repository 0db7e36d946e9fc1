"""As a distributed dataset cuts: full shares first, then the rest."""

import math

EXPECT = {"10/my_plan": "RIGHT"}


def my_plan(training, replicas):
    most = math.ceil(training.batch / replicas)
    left, shares = training.batch, []
    for _ in range(replicas):
        shares.append(min(most, left))
        left -= shares[-1]
    return (
        shares,
        training.rate,
        training.epochs * math.ceil(training.rows / training.batch),
    )
