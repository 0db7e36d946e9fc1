"""Sharded, then shuffled: sound, but not the sequential batches."""

EXPECT = {"13/my_dataset": "WRONG sharded_before_shuffle"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch))
