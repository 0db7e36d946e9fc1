"""The largest error over the replicas that have rows."""

EXPECT = {"03/my_first_unequal": "RIGHT"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if len(set(each.tolist())) > 1:
            used = [r for r, rows in enumerate(each) if rows]
            weight = {r: 1 / (each[r] * len(each)) for r in used}
            worst = max(used, key=lambda r: abs(weight[r] - 1 / each.sum()))
            return step, worst, weight[worst]
