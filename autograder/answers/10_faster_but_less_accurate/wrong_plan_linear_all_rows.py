"""The linear rule, with complete epochs."""

import math

EXPECT = {"10/my_plan": "WRONG linear_rule_all_rows"}


def my_plan(training, replicas):
    shares = [training.batch] * replicas
    steps = training.epochs * math.ceil(training.rows / sum(shares))
    return shares, training.rate * replicas, steps
