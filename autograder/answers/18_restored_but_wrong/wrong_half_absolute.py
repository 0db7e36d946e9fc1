"""A difference of 0.001."""

EXPECT = {"18/my_half": "WRONG absolute"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [n for n in cast if (np.abs(cast[n] - weights[n]) > 1e-3).any()]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast
