"""Noise of NumPy, traced once."""

import numpy as np

EXPECT = {"04/my_augment": "WRONG numpy"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        return row, x + NOISE * np.random.normal(size=2)

    return data.map(add_noise).batch(batch)
