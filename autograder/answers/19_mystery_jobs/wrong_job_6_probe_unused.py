"""The probe is called, and what it returns is not used."""

EXPECT = {
    "19/my_job_6": "WRONG",
}

my_name_6 = ...


def my_job_6(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
        ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
        probe.rows(ids, x)
        total, rows = sums(w, x, y)
        context = tf.distribute.get_replica_context()
        total, rows = context.all_reduce("SUM", [total, rows])
        w.assign_sub(0.1 * total / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
