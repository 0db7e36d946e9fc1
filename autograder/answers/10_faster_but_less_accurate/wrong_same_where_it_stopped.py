"""Only the step at which the run stopped; the nearest is always taken."""

EXPECT = {"10/my_same_training": "WRONG nearest_where_it_stopped"}


def my_same_training(run, alone):
    n = len(run)
    gaps = {b: abs(run[-1] - w[n - 1]).max() for b, w in alone.items() if len(w) >= n}
    batch = min(gaps, key=gaps.get)
    return batch, gaps[batch]
