"""Only trainings of the same length."""

EXPECT = {"10/my_same_training": "WRONG same_length_only"}


def my_same_training(run, alone):
    for batch, weights in alone.items():
        if len(weights) == len(run):
            gap = abs(run - weights).max()
            if gap < 0.01:
                return batch, gap
