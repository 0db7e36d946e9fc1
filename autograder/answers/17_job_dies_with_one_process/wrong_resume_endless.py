"""The loop has no end."""

EXPECT = {"17/my_resumable": "CRASHED"}


def my_resumable(folder, batches, w, momentum, step, every):
    while True:
        for x, y in batches:
            step(x, y)
