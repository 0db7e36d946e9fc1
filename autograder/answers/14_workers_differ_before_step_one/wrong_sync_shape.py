"""One number for all."""

EXPECT = {"14/my_sync": "CRASHED"}


def my_sync(strategy, variables):
    for variable in variables:
        variable.assign(variables[0])
