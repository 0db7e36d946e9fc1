"""Every replica gathers two sums, not rows, and adds them up itself."""

EXPECT = {
    "19/my_job_6": "RIGHT",
}

my_name_6 = ...


def my_job_6(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
        ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
        context = tf.distribute.get_replica_context()
        total, rows = sums(w, probe.rows(ids, x), y)
        totals = context.all_gather(total[None], axis=0)
        counts = context.all_gather(rows[None], axis=0)
        w.assign_sub(0.1 * tf.reduce_sum(totals, axis=0) / tf.reduce_sum(counts))

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
