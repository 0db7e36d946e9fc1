"""The arrays come back as they were."""

EXPECT = {"18/my_half": "WRONG float32"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name
        for name, value in weights.items()
        if not np.allclose(cast[name], value, rtol=1e-3, atol=0, equal_nan=True)
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return weights
