"""As many points up to the top as the warm-up has steps."""

import numpy as np

EXPECT = {"10/my_rates": "WRONG linspace_over_the_warmup"}


def my_rates(rate, factor, warmup, steps):
    rising = np.linspace(rate, factor * rate, warmup)
    return [*rising, *[factor * rate] * steps][:steps]
