"""All that was made again."""

EXPECT = {"17/my_fall_back": "WRONG all_falls_together"}


def my_fall_back(log):
    steps = [step for _, step in log]
    for last, step in zip(steps, steps[1:], strict=False):
        if step <= last:
            return step, len(steps) - len(set(steps))
