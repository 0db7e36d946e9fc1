"""Chain everything, stop at the first row that is known."""

from itertools import chain

EXPECT = {"01/my_first_faults": "RIGHT"}


def my_first_faults(steps, rows):
    times = [0] * rows
    again = None
    for row in chain.from_iterable(chain.from_iterable(steps)):
        times[row] += 1
        if times[row] == 2 and again is None:
            again = row
    return [again, times.index(0) if 0 in times else None]
