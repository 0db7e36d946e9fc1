"""The nearest at the end, written in another way."""

EXPECT = {"10/my_same_training": "WRONG nearest_at_the_end"}


def my_same_training(run, alone):
    batch = min(alone, key=lambda b: abs(run[-1] - alone[b][-1]).max())
    return batch, abs(run[-1] - alone[batch][-1]).max()
