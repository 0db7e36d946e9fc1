"""The chief writes a file that all can see; the others wait for it and read it."""

import os
import tempfile
import time

import numpy as np

EXPECT = {"14/my_sync": "RIGHT"}


def my_sync(strategy, variables):
    resolver = strategy.cluster_resolver
    chief = resolver.cluster_spec().task_address("worker", 0).replace(":", "-")
    path = os.path.join(tempfile.gettempdir(), f"start-{chief}.npz")
    if resolver.task_id == 0:
        np.savez(path + ".part.npz", *[v.numpy() for v in variables])
        os.replace(path + ".part.npz", path)
    while not os.path.exists(path):
        time.sleep(0.05)
    with np.load(path) as values:
        for variable, name in zip(variables, values.files, strict=True):
            variable.assign(values[name])
