"""Infinity and zero."""

EXPECT = {"18/my_half": "WRONG infinity_and_zero"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [name for name, value in weights.items() if bad(value, cast[name])]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast


def bad(old, new):
    lost = (new == 0) & (old != 0)
    return (lost | (np.isinf(new) & np.isfinite(old))).any()
