"""As the document advises: another seed on each worker."""

EXPECT = {"13/my_dataset": "WRONG other_orders_only"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed + context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))
