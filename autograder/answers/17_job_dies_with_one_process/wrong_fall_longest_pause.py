"""The longest pause."""

EXPECT = {"17/my_fall_back": "WRONG longest_pause"}


def my_fall_back(log):
    pairs = zip(log, log[1:], strict=False)
    gaps = [after - before for (before, _), (after, _) in pairs]
    i = gaps.index(max(gaps))
    last, step = log[i][1], log[i + 1][1]
    return (step, last - step + 1) if step <= last else None
