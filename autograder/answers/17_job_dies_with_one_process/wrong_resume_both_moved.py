"""Each file moved into its place, one after the other."""

import os

import numpy as np

EXPECT = {"17/my_resumable": "WRONG state_in_2_lines_then_step"}


def my_resumable(folder, batches, w, momentum, step, every):
    places = [os.path.join(folder, name) for name in ("state.npy", "step.npy")]
    new = os.path.join(folder, "new.npy")
    start = 0
    if os.path.exists(places[1]):
        state, start = np.load(places[0]), int(np.load(places[1]))
        w.assign(state[0])
        momentum.assign(state[1])
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            np.save(new, np.stack([w.numpy(), momentum.numpy()]))
            os.replace(new, places[0])
            np.save(new, k + 1)
            os.replace(new, places[1])
