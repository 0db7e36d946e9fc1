"""Go through the steps; the first beyond 1e-5 decides."""

EXPECT = {"02/my_first_drift": "RIGHT"}


def my_first_drift(copies, sequential):
    for step in range(len(copies)):
        gaps = [abs(copy - sequential[step]).max() for copy in copies[step]]
        if max(gaps) > 1e-5:
            return step, gaps.index(max(gaps))
    return None
