"""An epoch without an end."""

EXPECT = {"13/my_dataset": "WRONG endless"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch)).repeat()
