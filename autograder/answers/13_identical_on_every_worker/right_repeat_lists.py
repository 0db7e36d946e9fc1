"""Every reading is compared with those before it."""

EXPECT = {"13/my_first_repeat": "RIGHT"}


def my_first_repeat(reads):
    for at, (epoch, step, _worker, row) in enumerate(reads):
        if any(e == epoch and r == row for e, _, _, r in reads[:at]):
            return [epoch, step, row]
