"""It opens its only file for writing; that empties it."""

import os
import pickle

EXPECT = {"17/my_resumable": "CRASHED"}


def my_resumable(folder, batches, w, momentum, step, every):
    path = os.path.join(folder, "state.pickle")
    start = 0
    if os.path.exists(path):
        with open(path, "rb") as file:
            start, weights, before = pickle.load(file)
        w.assign(weights)
        momentum.assign(before)
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            with open(path, "wb") as file:
                pickle.dump((k + 1, w.numpy(), momentum.numpy()), file)
