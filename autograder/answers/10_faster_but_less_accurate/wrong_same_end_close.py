"""Only the end, and it must be near."""

EXPECT = {"10/my_same_training": "WRONG close_at_the_end"}


def my_same_training(run, alone):
    gaps = {b: abs(run[-1] - w[-1]).max() for b, w in alone.items()}
    batch = min(gaps, key=gaps.get)
    return (batch, gaps[batch]) if gaps[batch] < 0.01 else None
