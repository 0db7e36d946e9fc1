"""A list comes back."""

EXPECT = {"18/my_half": "CRASHED"}


def my_half(weights):
    return [value.astype("float16") for value in weights.values()]
