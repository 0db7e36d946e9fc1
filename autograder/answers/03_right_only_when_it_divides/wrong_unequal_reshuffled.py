"""Another code with the shipped result."""

EXPECT = {"03/my_first_unequal": "WRONG smaller_batch"}


def my_first_unequal(counts):
    full = counts.max(axis=0).sum()
    for step in range(len(counts)):
        rows = counts[step].sum()
        if rows < full:
            return step, counts[step].argmin(), 1 / rows
