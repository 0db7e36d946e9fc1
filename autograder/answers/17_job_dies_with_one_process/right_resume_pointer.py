"""Weights under a new name first; then a file says which ones hold."""

import os

import numpy as np

EXPECT = {"17/my_resumable": "RIGHT"}


def my_resumable(folder, batches, w, momentum, step, every):
    pointer = os.path.join(folder, "latest")
    start = 0
    if os.path.exists(pointer):
        with open(pointer) as file:
            start = int(file.read())
        w.assign(np.load(os.path.join(folder, f"w{start}.npy")))
        momentum.assign(np.load(os.path.join(folder, f"m{start}.npy")))
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            np.save(os.path.join(folder, f"w{k + 1}.npy"), w.numpy())
            np.save(os.path.join(folder, f"m{k + 1}.npy"), momentum.numpy())
            with open(pointer + ".new", "w") as file:
                file.write(str(k + 1))
            os.replace(pointer + ".new", pointer)
