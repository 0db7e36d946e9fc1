"""Where the row was read first."""

EXPECT = {"13/my_first_repeat": "WRONG first_reading"}


def my_first_repeat(reads):
    first = {}
    for epoch, step, _worker, row in reads:
        if (epoch, row) in first:
            return epoch, first[epoch, row], row
        first[epoch, row] = step
    return None
