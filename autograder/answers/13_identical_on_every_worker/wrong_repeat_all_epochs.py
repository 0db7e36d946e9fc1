"""The next epoch counts as a repeat."""

EXPECT = {"13/my_first_repeat": "WRONG over_all_epochs"}


def my_first_repeat(reads):
    seen = set()
    for epoch, step, _worker, row in reads:
        if row in seen:
            return epoch, step, row
        seen.add(row)
    return None
