"""Worker 0 reads all, and the others nothing."""

EXPECT = {"13/my_dataset": "WRONG one_worker"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed)
    rows = rows.take(len(rows) if context.input_pipeline_id == 0 else 0)
    return rows.batch(context.get_per_replica_batch_size(batch))
