"""Infinity and NaN from before are refused."""

EXPECT = {"18/my_half": "WRONG infinity_refused"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name
        for name, value in weights.items()
        if not (np.abs(cast[name] - value) <= 1e-3 * np.abs(value)).all()
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast
