"""A loop that never ends."""

EXPECT = {"02/my_step": "CRASHED"}


def my_step(w, x, y):
    while True:
        pass
