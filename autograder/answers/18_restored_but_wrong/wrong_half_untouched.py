"""The shipped code, renamed."""

EXPECT = {"18/my_half": "NOT ATTEMPTED"}


def my_half(weights):
    return {name: value.astype("float16") for name, value in weights.items()}
