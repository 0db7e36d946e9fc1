"""The gap of the last step."""

EXPECT = {"10/my_same_training": "WRONG gap_at_the_end"}


def my_same_training(run, alone):
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, abs(off[-1]).max()
