"""A shard for each replica, though the function is called once."""

EXPECT = {"01/my_input": "WRONG sharded_by_replicas"}


def my_input(context, data, batch):
    own = data.shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return own.batch(context.get_per_replica_batch_size(batch))
