"""Forget the absolute value."""

EXPECT = {"02/my_first_drift": "WRONG signed_difference"}


def my_first_drift(copies, sequential):
    for step in range(len(copies)):
        gaps = (copies[step] - sequential[step]).max(axis=1)
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None
