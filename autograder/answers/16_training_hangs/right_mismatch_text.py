"""Each kind as a text of fixed length, in numbers."""

EXPECT = {"16/my_first_mismatch": "RIGHT"}


def my_first_mismatch(gradients, gather):
    longest = max(gather([len(gradients)]))[0]
    kinds = [f"{each.dtype.name} {each.shape}" for each in gradients]
    kinds += ["none"] * (longest - len(kinds))
    for number, kind in enumerate(kinds):
        column = gather(list(kind.ljust(80).encode()))
        if any(each != column[0] for each in column):
            return number
    return None
