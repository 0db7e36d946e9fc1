"""Nothing comes back."""

EXPECT = {"18/my_half": "CRASHED"}


def my_half(weights):
    for name in weights:
        weights[name] = weights[name].astype("float16")
