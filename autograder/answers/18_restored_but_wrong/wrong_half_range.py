"""The limits of the dtype."""

EXPECT = {"18/my_half": "WRONG by_range"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [name for name, value in weights.items() if outside(np.abs(value))]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast


def outside(size):
    limits = np.finfo("float16")
    size = size[np.isfinite(size) & (size > 0)]
    return (size > float(limits.max)).any() or (size < float(limits.tiny)).any()
