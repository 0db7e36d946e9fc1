"""It makes no step."""

EXPECT = {"17/my_resumable": "WRONG"}


def my_resumable(folder, batches, w, momentum, step, every):
    return w, momentum
