"""Batches of one row."""

EXPECT = {"01/my_input": "WRONG batches_of_one"}


def my_input(context, data, batch):
    return data.batch(1)
