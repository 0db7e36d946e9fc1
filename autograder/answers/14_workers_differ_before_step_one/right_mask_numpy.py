"""A NumPy generator for each (seed, step, row)."""

import numpy as np

EXPECT = {"14/my_mask": "RIGHT"}


def my_mask(seed, step, places, worker, workers, units):
    rows = np.asarray(places) * workers + worker
    drawn = [np.random.default_rng([seed, step, r]).random(units) for r in rows]
    return np.array(drawn) < KEEP
