"""One file for each step; the newest whole one counts."""

from pathlib import Path

import numpy as np

EXPECT = {"17/my_resumable": "RIGHT"}


def my_resumable(folder, batches, w, momentum, step, every):
    found = sorted(Path(folder).glob("step-*.npy"))
    start = 0
    if found:
        start = int(found[-1].stem.split("-")[1])
        state = np.load(found[-1])
        w.assign(state[0])
        momentum.assign(state[1])
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            part = Path(folder) / "part.npy"
            np.save(part, np.stack([w.numpy(), momentum.numpy()]))
            part.rename(Path(folder) / f"step-{k + 1:06d}.npy")
