"""The number of workers is written down."""

EXPECT = {"13/my_dataset": "WRONG"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed).shard(2, context.input_pipeline_id % 2)
    return rows.batch(context.get_per_replica_batch_size(batch))
