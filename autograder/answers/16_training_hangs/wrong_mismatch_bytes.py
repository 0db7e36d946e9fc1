"""Dtypes by their bytes."""

from zlib import crc32

EXPECT = {"16/my_first_mismatch": "WRONG dtypes_by_bytes"}


def my_first_mismatch(gradients, gather):
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [crc32(f"{g.dtype.size}{g.shape}".encode()) % 2**31 for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number
