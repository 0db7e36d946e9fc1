"""Infinity before is refused, small ones pass."""

EXPECT = {"18/my_half": "WRONG"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name for name, value in weights.items() if not np.isfinite(cast[name]).all()
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast
