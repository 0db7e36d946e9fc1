"""Everything is refused."""

EXPECT = {"18/my_half": "WRONG always_refused"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [name for name, value in weights.items() if name]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast
