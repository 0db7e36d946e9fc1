"""Dtypes only."""

EXPECT = {"16/my_first_mismatch": "WRONG dtypes_only"}


def my_first_mismatch(gradients, gather):
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [g.dtype.as_datatype_enum for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number
