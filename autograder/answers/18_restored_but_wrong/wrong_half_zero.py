"""Only zero is looked for."""

EXPECT = {"18/my_half": "WRONG zero_only"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name
        for name, value in weights.items()
        if ((cast[name] == 0) & (value != 0)).any()
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast
