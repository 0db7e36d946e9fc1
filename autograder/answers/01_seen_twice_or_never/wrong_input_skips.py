"""Lose the first row: no known mistake."""

EXPECT = {"01/my_input": "WRONG"}


def my_input(context, data, batch):
    return data.skip(1).batch(batch // context.num_replicas_in_sync)
