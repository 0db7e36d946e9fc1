"""Kinds, but as many as there are."""

from zlib import crc32

EXPECT = {"16/my_first_mismatch": "WRONG sizes_only"}


def my_first_mismatch(gradients, gather):
    kinds = gather(
        [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    )
    for number, column in enumerate(zip(*kinds, strict=False)):
        if len(set(column)) > 1:
            return number
