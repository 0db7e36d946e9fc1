"""All at once in NumPy."""

import numpy as np

EXPECT = {"10/my_useful_replicas": "RIGHT"}


def my_useful_replicas(fixed, row, exchange, batch, most):
    n = np.arange(1, most + 1)
    ms = fixed + row * np.ceil(batch / n) + exchange * (n - 1)
    return int(ms.argmin()) + 1, ms.min()
