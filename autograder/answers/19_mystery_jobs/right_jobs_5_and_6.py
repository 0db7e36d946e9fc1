"""One read when all is over; the rows drawn by their numbers."""

EXPECT = {
    "19/my_job_5": "RIGHT",
    "19/my_job_6": "RIGHT",
}

my_name_5 = ...
my_name_6 = ...


def my_job_5(strategy, w, data, size, probe):
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
    assert np.isfinite(w.numpy()).all(), "training diverged"


def my_job_6(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        def drawn(row):
            return tf.random.stateless_uniform([], [7, row]) < 0.8

        keep = tf.map_fn(drawn, ids, fn_output_signature=tf.bool)
        ids, x, y = ids[keep], x[keep], y[keep]
        x = probe.rows(ids, x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
        total = tape.gradient(loss, w)
        context = tf.distribute.get_replica_context()
        rows = tf.cast(tf.size(ids), tf.float32)
        total, rows = context.all_reduce("SUM", [total, rows])
        w.assign_sub(0.1 * total / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
