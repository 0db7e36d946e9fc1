"""The healthy job in other words; the work on the replicas' own devices."""

EXPECT = {
    "19/my_job_2": "RIGHT",
    "19/my_job_3": "RIGHT",
}

my_name_2 = set()
my_name_3 = ...


def my_job_2(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        error = tf.linalg.matvec(probe.rows(ids, x), w) - y
        gradient = 2 * tf.linalg.matvec(x, error, transpose_a=True)
        context = tf.distribute.get_replica_context()
        gradient = context.all_reduce("SUM", gradient)
        rows = context.all_reduce("SUM", tf.cast(tf.shape(x)[0], tf.float32))
        w.assign_sub(0.1 * gradient / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)


def my_job_3(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
        ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
        total, rows = sums(w, probe.rows(ids, x), y)
        context = tf.distribute.get_replica_context()
        total, rows = context.all_reduce("SUM", [total, rows])
        w.assign_sub(0.1 * total / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
