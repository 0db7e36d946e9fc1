"""The global batch, and no shard."""

EXPECT = {"13/my_dataset": "WRONG global_batch_unsharded"}


def my_dataset(context, rows, batch, seed):
    return rows.shuffle(len(rows), seed=seed).batch(batch)
