"""As many questions as this worker has gradients."""

from zlib import crc32

EXPECT = {"16/my_first_mismatch": "WRONG each_its_own_number"}


def my_first_mismatch(gradients, gather):
    for number, g in enumerate(gradients):
        column = gather([crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31])
        if any(each != column[0] for each in column):
            return number
