"""As many points up to the top as the warm-up has steps, even if these are too many."""

import numpy as np

EXPECT = {"10/my_rates": "WRONG linspace_not_cut"}


def my_rates(rate, factor, warmup, steps):
    rising = np.linspace(rate, factor * rate, warmup)
    return [*rising, *[factor * rate] * (steps - warmup)]
