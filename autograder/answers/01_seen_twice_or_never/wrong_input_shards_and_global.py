"""A shard for each replica, in global batches."""

EXPECT = {"01/my_input": "WRONG sharded_by_replicas_global_batch"}


def my_input(context, data, batch):
    own = data.shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return own.batch(batch)
