"""How many there are decides first."""

from zlib import crc32

EXPECT = {"16/my_first_mismatch": "WRONG number_before_kinds"}


def my_first_mismatch(gradients, gather):
    lengths = [length for (length,) in gather([len(gradients)])]
    if len(set(lengths)) > 1:
        return min(lengths)
    own = [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    for number, column in enumerate(zip(*gather(own), strict=False)):
        if len(set(column)) > 1:
            return number
