"""np.allclose as it is."""

EXPECT = {"18/my_half": "WRONG allclose_as_it_is"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name
        for name, value in weights.items()
        if not np.allclose(cast[name], value, equal_nan=True)
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast
