"""The largest difference with its sign, the other way round."""

EXPECT = {"10/my_same_training": "WRONG signed_gap_other_way"}


def my_same_training(run, alone):
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, (-off).max()
