"""It waits for a file that nobody writes."""

import os
import time

EXPECT = {"17/my_resumable": "CRASHED"}


def my_resumable(folder, batches, w, momentum, step, every):
    while not os.path.exists(os.path.join(folder, "go")):
        time.sleep(0.1)
