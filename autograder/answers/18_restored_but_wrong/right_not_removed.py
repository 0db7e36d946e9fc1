"""All names but the good ones."""

EXPECT = {"18/my_not_restored": "RIGHT"}


def my_not_restored(before, after, stored):
    names = set(after)
    for name in set(after) & set(stored):
        one, two = after[name], stored[name]
        if (
            one.shape == two.shape
            and ((one == two) | ((one != one) & (two != two))).all()
        ):
            names.remove(name)
    return names
