"""np.allclose, told of the share only."""

EXPECT = {"18/my_half": "WRONG allclose_and_nan"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name, v in weights.items():
        h = cast[name].astype("float32")
        if not np.allclose(h, v, rtol=1e-3):
            wrong.append(name)
    if wrong:
        raise ValueError(f"not for float16: {wrong}")
    return cast
