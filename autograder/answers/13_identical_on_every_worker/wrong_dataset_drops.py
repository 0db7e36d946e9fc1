"""drop_remainder."""

EXPECT = {"13/my_dataset": "WRONG tail_lost"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    share = context.get_per_replica_batch_size(batch)
    return rows.batch(share, drop_remainder=True)
