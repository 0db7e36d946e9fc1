"""Every replica gathers all rows: right weights, no work shared."""

EXPECT = {
    "19/my_job_6": "WRONG",
}

my_name_6 = ...


def my_job_6(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
        ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
        context = tf.distribute.get_replica_context()
        x = context.all_gather(probe.rows(ids, x), axis=0)
        total, rows = sums(w, x, context.all_gather(y, axis=0))
        w.assign_sub(0.1 * total / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
