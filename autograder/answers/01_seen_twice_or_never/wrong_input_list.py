"""A list instead of a dataset."""

EXPECT = {"01/my_input": "CRASHED"}


def my_input(context, data, batch):
    return [data.batch(batch)] * context.num_replicas_in_sync
