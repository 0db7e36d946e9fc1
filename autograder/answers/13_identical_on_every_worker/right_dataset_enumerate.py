"""Places are counted, and every n-th one is kept."""

EXPECT = {"13/my_dataset": "RIGHT"}


def my_dataset(context, rows, batch, seed):
    n, me = context.num_input_pipelines, context.input_pipeline_id
    rows = rows.shuffle(len(rows), seed=seed).enumerate()
    rows = rows.filter(lambda place, row: place % n == me)
    rows = rows.map(lambda place, row: row)
    return rows.batch(context.get_per_replica_batch_size(batch))
