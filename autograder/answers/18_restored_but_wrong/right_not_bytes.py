"""Bytes, dtype and shape are compared; a list comes back."""

EXPECT = {"18/my_not_restored": "RIGHT"}


def my_not_restored(before, after, stored):
    def kind(values):
        return values.dtype, values.shape, values.tobytes()

    return [n for n in after if n not in stored or kind(after[n]) != kind(stored[n])]
