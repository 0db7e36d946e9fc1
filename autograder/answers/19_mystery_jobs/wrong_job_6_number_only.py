"""Only one of two faults is repaired: the number of rows."""

EXPECT = {
    "19/my_job_6": "WRONG",
}

my_name_6 = ...


def my_job_6(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        me = tf.distribute.get_replica_context().replica_id_in_sync_group
        keep = tf.random.stateless_uniform(tf.shape(ids), [7, me]) < 0.8
        ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
        total, rows = sums(w, probe.rows(ids, x), y)
        context = tf.distribute.get_replica_context()
        total, rows = context.all_reduce("SUM", [total, rows])
        w.assign_sub(0.1 * total / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
