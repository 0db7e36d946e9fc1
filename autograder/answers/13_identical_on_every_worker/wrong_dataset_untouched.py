"""The shipped code, renamed."""

EXPECT = {"13/my_dataset": "NOT ATTEMPTED"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows), seed=seed)
    return rows.batch(context.get_per_replica_batch_size(batch))
