"""Workers 0 and 1 only."""

from zlib import crc32

EXPECT = {"16/my_first_mismatch": "WRONG two_workers_only"}


def my_first_mismatch(gradients, gather):
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number in range(longest):
        if table[0][number] != table[1][number]:
            return number
