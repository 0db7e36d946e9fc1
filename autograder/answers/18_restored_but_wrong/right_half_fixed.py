"""np.allclose without an absolute part."""

EXPECT = {"18/my_half": "RIGHT"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    near = {
        name: np.allclose(cast[name], value, rtol=1e-3, atol=0, equal_nan=True)
        for name, value in weights.items()
    }
    wrong = [name for name, good in near.items() if not good]
    if wrong:
        raise ValueError(f"these change by more than 0.1 %: {wrong}")
    return cast
