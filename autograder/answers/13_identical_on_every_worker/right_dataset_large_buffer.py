"""A larger buffer gives the same order; prefetch changes nothing."""

EXPECT = {"13/my_dataset": "RIGHT"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed, reshuffle_each_iteration=True)
    rows = rows.shard(context.num_input_pipelines, index=context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch)).prefetch(2)
