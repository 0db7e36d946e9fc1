"""Infinity after the cast."""

EXPECT = {"18/my_half": "WRONG any_infinity"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name in weights:
        if np.isinf(cast[name]).any():
            wrong.append(name)
    if wrong:
        raise ValueError(f"not for float16: {wrong}")
    return cast
