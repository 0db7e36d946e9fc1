"""Sharded, then shuffled without a seed."""

EXPECT = {"13/my_dataset": "WRONG sharded_before_shuffle"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(999).batch(context.get_per_replica_batch_size(batch))
