"""Batches of batches."""

EXPECT = {"01/my_input": "CRASHED"}


def my_input(context, data, batch):
    return data.batch(batch).batch(context.get_per_replica_batch_size(batch))
