"""A limit of 0.2 %."""

import numpy as np

EXPECT = {"18/my_half": "WRONG wider"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name
        for name, value in weights.items()
        if not np.allclose(cast[name], value, rtol=2e-3, atol=0, equal_nan=True)
    ]
    if wrong:
        raise ValueError(str(wrong))
    return cast
