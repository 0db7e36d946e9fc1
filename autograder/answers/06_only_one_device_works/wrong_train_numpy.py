"""NumPy computes the gradients."""

import numpy as np

EXPECT = {"06/my_train": "WRONG not_seen"}


def my_train(devices, batches):
    w = np.zeros(2)
    for x, y in batches:
        x, y = x.numpy(), y.numpy()
        w = w - LEARNING_RATE * 2 * (x @ w - y) @ x / len(y)
    return w
