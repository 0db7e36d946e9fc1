"""The text is cut."""

EXPECT = {"16/my_first_mismatch": "WRONG"}


def my_first_mismatch(gradients, gather):
    longest = max(gather([len(gradients)]))[0]
    for number in range(longest):
        have = number < len(gradients)
        g = gradients[number] if have else None
        kind = f"{g.dtype.name} {g.shape}" if have else "none"
        column = gather(list(kind[:12].ljust(12).encode()))
        if any(each != column[0] for each in column):
            return number
