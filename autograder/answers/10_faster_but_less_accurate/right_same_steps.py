"""Step by step, in plain Python."""

EXPECT = {"10/my_same_training": "RIGHT"}


def my_same_training(run, alone):
    for batch in sorted(alone):
        weights = alone[batch]
        if len(weights) < len(run):
            continue
        gap = 0.0
        for mine, theirs in zip(run, weights, strict=False):
            for a, b in zip(mine, theirs, strict=True):
                gap = max(gap, abs(float(a) - float(b)))
        if gap < 0.01:
            return [batch, gap]
