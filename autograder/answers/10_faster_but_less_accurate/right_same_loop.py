"""The first training that is near enough."""

EXPECT = {"10/my_same_training": "RIGHT"}


def my_same_training(run, alone):
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            gap = abs(run - weights[: len(run)]).max()
            if gap < 0.01:
                return batch, gap
    return None
