"""It ends its process."""

import sys

EXPECT = {"17/my_resumable": "CRASHED"}


def my_resumable(folder, batches, w, momentum, step, every):
    for x, y in batches:
        step(x, y)
    sys.exit()
