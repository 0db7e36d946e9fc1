"""The number of workers is written down, and there may be three."""

EXPECT = {"13/my_dataset": "CRASHED"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed).shard(2, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))
