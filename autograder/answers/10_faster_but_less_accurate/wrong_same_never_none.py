"""Every step, but the nearest is always taken."""

EXPECT = {"10/my_same_training": "WRONG nearest_at_every_step"}


def my_same_training(run, alone):
    def gap(weights):
        n = min(len(run), len(weights))
        return abs(run[:n] - weights[:n]).max()

    batch = min(alone, key=lambda b: gap(alone[b]))
    return batch, gap(alone[batch])
