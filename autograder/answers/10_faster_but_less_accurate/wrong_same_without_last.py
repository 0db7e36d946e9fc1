"""The last step is left out."""

EXPECT = {"10/my_same_training": "WRONG without_the_last_step"}


def my_same_training(run, alone):
    n = len(run) - 1
    for batch, weights in alone.items():
        if len(weights) >= n:
            gap = abs(run[:n] - weights[:n]).max()
            if gap < 0.01:
                return batch, gap
