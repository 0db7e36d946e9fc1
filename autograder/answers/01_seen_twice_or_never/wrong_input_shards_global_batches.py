"""Global batches, then every n-th of them."""

EXPECT = {"01/my_input": "WRONG batches_sharded_global_batch"}


def my_input(context, data, batch):
    return data.batch(batch).shard(context.num_replicas_in_sync, 0)
