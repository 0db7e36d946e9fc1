"""Both files are written first, and then both are moved."""

import os

import numpy as np

EXPECT = {"17/my_resumable": "WRONG"}


def my_resumable(folder, batches, w, momentum, step, every):
    places = [os.path.join(folder, name) for name in ("state.npy", "step.npy")]
    new = [os.path.join(folder, name) for name in ("new-state.npy", "new-step.npy")]
    start = 0
    if os.path.exists(places[1]):
        state, start = np.load(places[0]), int(np.load(places[1]))
        w.assign(state[0])
        momentum.assign(state[1])
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            np.save(new[0], np.stack([w.numpy(), momentum.numpy()]))
            np.save(new[1], k + 1)
            os.replace(new[0], places[0])
            os.replace(new[1], places[1])
