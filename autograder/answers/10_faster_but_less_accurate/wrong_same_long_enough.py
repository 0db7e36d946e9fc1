"""Every step, of those that are long enough, but the nearest is always taken."""

EXPECT = {"10/my_same_training": "WRONG nearest_at_every_step"}


def my_same_training(run, alone):
    n = len(run)
    gaps = {b: abs(run - w[:n]).max() for b, w in alone.items() if len(w) >= n}
    batch = min(gaps, key=gaps.get)
    return batch, gaps[batch]
