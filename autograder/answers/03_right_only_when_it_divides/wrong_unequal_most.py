"""The replica with the most rows."""

EXPECT = {"03/my_first_unequal": "WRONG most_rows"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() < each.max():
            return step, each.argmax(), 1 / (len(each) * each.max())
    return None
