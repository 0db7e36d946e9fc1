"""Who finds a difference to its own list stops asking."""

EXPECT = {"16/my_first_mismatch": "WRONG"}


def my_first_mismatch(gradients, gather):
    for number, each in enumerate(gradients):
        column = gather([each.dtype.as_datatype_enum])
        if any(kind != column[0] for kind in column):
            return number
