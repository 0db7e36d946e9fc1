"""The number instead of the dataset."""

EXPECT = {"01/my_input": "CRASHED"}


def my_input(context, data, batch):
    return context.get_per_replica_batch_size(batch)
