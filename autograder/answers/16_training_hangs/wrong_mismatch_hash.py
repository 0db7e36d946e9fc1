"""Python's hash of a text."""

EXPECT = {"16/my_first_mismatch": "WRONG"}


def my_first_mismatch(gradients, gather):
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [hash(f"{g.dtype.name}{g.shape}") % 2**31 for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number
