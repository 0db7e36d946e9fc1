"""One table of a fixed size, large enough."""

EXPECT = {"16/my_first_mismatch": "RIGHT"}


def my_first_mismatch(gradients, gather):
    own = []
    for each in gradients:
        own += [each.dtype.as_datatype_enum, *(list(each.shape) + [-1] * 7)[:7]]
    own += [0] * (8 * 100 - len(own))
    everyone = gather(own)
    for number in range(100):
        if len({tuple(each[8 * number : 8 * number + 8]) for each in everyone}) > 1:
            return number
    return None
