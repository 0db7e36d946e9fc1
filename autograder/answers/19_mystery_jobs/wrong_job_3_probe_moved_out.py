"""Only the probe leaves the block; the work is still on one device."""

EXPECT = {
    "19/my_job_3": "WRONG",
}

my_name_3 = ...


def my_job_3(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
        ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
        x = probe.rows(ids, x)
        with tf.device("CPU:0"):
            total, rows = sums(w, x, y)
        context = tf.distribute.get_replica_context()
        total, rows = context.all_reduce("SUM", [total, rows])
        w.assign_sub(0.1 * total / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
