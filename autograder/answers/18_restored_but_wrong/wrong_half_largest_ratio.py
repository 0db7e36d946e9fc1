"""The largest share, which is NaN where a zero is."""

import numpy as np

EXPECT = {"18/my_half": "WRONG largest_ratio"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name
        for name, value in weights.items()
        if np.max(np.abs((cast[name].astype("float32") - value) / value)) > 1e-3
    ]
    if wrong:
        raise ValueError(str(wrong))
    return cast
