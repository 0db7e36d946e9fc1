"""Multiply instead of dividing."""

EXPECT = {"01/my_input": "WRONG batch_times_replicas"}


def my_input(context, data, batch):
    return data.batch(batch * context.num_replicas_in_sync)
