"""One point more than the warm-up has steps, cut to the training."""

import numpy as np

EXPECT = {"10/my_rates": "RIGHT"}


def my_rates(rate, factor, warmup, steps):
    rising = np.linspace(rate, factor * rate, warmup + 1)[warmup == 0 :]
    return np.append(rising, [factor * rate] * steps)[:steps]
