"""No change at all."""

EXPECT = {"18/my_half": "WRONG any_change"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name
        for name, value in weights.items()
        if not np.array_equal(cast[name], value, equal_nan=True)
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast
