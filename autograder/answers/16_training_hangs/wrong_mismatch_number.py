"""Only how many there are."""

EXPECT = {"16/my_first_mismatch": "WRONG number_only"}


def my_first_mismatch(gradients, gather):
    lengths = [length for (length,) in gather([len(gradients)])]
    return min(lengths) if len(set(lengths)) > 1 else None
