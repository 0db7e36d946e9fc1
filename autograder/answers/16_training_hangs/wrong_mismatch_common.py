"""Only what all have."""

from zlib import crc32

EXPECT = {"16/my_first_mismatch": "WRONG common_part_only"}


def my_first_mismatch(gradients, gather):
    shortest = min(length for (length,) in gather([len(gradients)]))
    own = [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    for number, column in enumerate(zip(*gather(own[:shortest]), strict=False)):
        if len(set(column)) > 1:
            return number
