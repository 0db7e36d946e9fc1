"""The shipped code, renamed."""

EXPECT = {"14/my_sync": "NOT ATTEMPTED"}


def my_sync(strategy, variables):
    """Give every worker the chief's values."""
    with strategy.scope():
        if strategy.cluster_resolver.task_id == 0:
            for variable in variables:
                variable.assign(variable.numpy())
