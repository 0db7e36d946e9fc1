"""Compare row by row with plain Python."""

EXPECT = {"03/my_first_unequal": "RIGHT"}


def my_first_unequal(counts):
    for step, each in enumerate(counts.tolist()):
        wanted, worst = 1 / sum(each), None
        for replica, rows in enumerate(each):
            if rows == 0:
                continue
            weight = 1 / (len(each) * rows)
            off = abs(weight - wanted)
            if off > 1e-9 and (worst is None or off > worst[0] + 1e-9):
                worst = (off, replica, weight)
        if worst:
            return step, worst[1], worst[2]
    return None
