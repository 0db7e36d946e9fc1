"""The shipped code, with a comment."""

EXPECT = {"10/my_same_training": "NOT ATTEMPTED"}


def my_same_training(run, alone):
    # look at the end
    gaps = {b: float(abs(run[-1] - w[-1]).max()) for b, w in alone.items()}
    nearest = min(gaps, key=gaps.get)
    return nearest, gaps[nearest]
