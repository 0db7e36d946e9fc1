"""A little more than is allowed."""

EXPECT = {"18/my_half": "WRONG wider"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name, v in weights.items():
        h = cast[name].astype("float32")
        if not np.allclose(h, v, rtol=1.2e-3, atol=0, equal_nan=True):
            wrong.append(name)
    if wrong:
        raise ValueError(f"not for float16: {wrong}")
    return cast
