"""Only rows of earlier steps."""

EXPECT = {"13/my_first_repeat": "WRONG earlier_steps_only"}


def my_first_repeat(reads):
    first = {}
    for epoch, step, _worker, row in reads:
        if first.setdefault((epoch, row), step) != step:
            return epoch, step, row
