"""The healthy job gets the mean of means."""

EXPECT = {
    "19/my_job_2": "WRONG",
}

my_name_2 = set()


def my_job_2(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        total, rows = sums(w, probe.rows(ids, x), y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(0.1 * context.all_reduce("MEAN", total / rows))

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
