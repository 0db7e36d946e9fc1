"""Batch by the share, then shard the batches."""

EXPECT = {"01/my_input": "WRONG batches_sharded"}


def my_input(context, data, batch):
    cut = data.batch(batch // context.num_replicas_in_sync)
    return cut.shard(context.num_replicas_in_sync, context.input_pipeline_id)
