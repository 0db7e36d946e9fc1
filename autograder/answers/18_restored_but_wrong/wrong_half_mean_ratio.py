"""The mean share."""

import numpy as np

EXPECT = {"18/my_half": "WRONG mean_ratio"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name, value in weights.items():
        off = np.abs(cast[name].astype("float32") - value) / np.abs(value)
        if np.nanmean(off) > 1e-3:
            wrong.append(name)
    if wrong:
        raise ValueError(str(wrong))
    return cast
