"""A piece of one's own."""

EXPECT = {"07/my_order": "RIGHT"}


def ahead(data, work):
    return data.prefetch(1)


def my_order():
    return [decode, keep, mix, augment, batched, ahead]
