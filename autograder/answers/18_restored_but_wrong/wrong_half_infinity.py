"""Only infinity is looked for."""

EXPECT = {"18/my_half": "WRONG infinity_only"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name
        for name, value in weights.items()
        if (np.isinf(cast[name]) & ~np.isinf(value)).any()
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast
