"""No seed, and no shard."""

EXPECT = {"13/my_dataset": "WRONG other_orders_only"}


def my_dataset(context, rows, batch, seed):
    return rows.shuffle(len(rows)).batch(context.get_per_replica_batch_size(batch))
