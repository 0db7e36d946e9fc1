"""The mean gap."""

EXPECT = {"10/my_same_training": "WRONG mean_gap"}


def my_same_training(run, alone):
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, abs(off).mean()
