"""Shapes filled up with 1."""

EXPECT = {"16/my_first_mismatch": "WRONG shapes_filled_with_1"}


def my_first_mismatch(gradients, gather):
    longest = max(length for (length,) in gather([len(gradients)]))
    for number in range(longest):
        kind = [0] * 5
        if number < len(gradients):
            g = gradients[number]
            kind = [g.dtype.as_datatype_enum, *(list(g.shape) + [1] * 4)[:4]]
        column = gather(kind)
        if any(each != column[0] for each in column):
            return number
