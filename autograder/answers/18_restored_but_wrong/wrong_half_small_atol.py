"""np.allclose with a small absolute part."""

EXPECT = {"18/my_half": "WRONG small_atol"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name, v in weights.items():
        h = cast[name].astype("float32")
        if not np.allclose(h, v, rtol=1e-3, atol=1e-9, equal_nan=True):
            wrong.append(name)
    if wrong:
        raise ValueError(f"not for float16: {wrong}")
    return cast
