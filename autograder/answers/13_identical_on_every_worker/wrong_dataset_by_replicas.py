"""One part for each replica."""

EXPECT = {"13/my_dataset": "WRONG sharded_by_replicas"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))
