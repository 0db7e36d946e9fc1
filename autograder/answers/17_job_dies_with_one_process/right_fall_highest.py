"""It remembers the highest step, and counts until a new one."""

EXPECT = {"17/my_fall_back": "RIGHT"}


def my_fall_back(log):
    highest, found, again = -1, None, 0
    for _, step in log:
        if found is None and step <= highest:
            found = step
        if found is not None and step > highest:
            break
        again += found is not None
        highest = max(highest, step)
    return None if found is None else (found, highest - found + 1)
