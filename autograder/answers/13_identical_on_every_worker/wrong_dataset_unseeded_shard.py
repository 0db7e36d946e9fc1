"""A shuffle without a seed, and then a shard."""

EXPECT = {"13/my_dataset": "WRONG other_orders_then_sharded"}


def my_dataset(context, rows, batch, seed):
    rows = rows.shuffle(len(rows))
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))
