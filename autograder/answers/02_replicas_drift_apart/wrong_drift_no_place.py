"""Return a sentence instead of a place."""

EXPECT = {"02/my_first_drift": "CRASHED"}


def my_first_drift(copies, sequential):
    return "step 1 on replica 2"
