"""All draw the same numbers anew: equal, and not the chief's."""

import numpy as np

EXPECT = {"14/my_sync": "WRONG"}


def my_sync(strategy, variables):
    rng = np.random.default_rng(5)
    for variable in variables:
        variable.assign(
            (10 * rng.normal(size=variable.shape)).astype(variable.dtype.name)
        )
