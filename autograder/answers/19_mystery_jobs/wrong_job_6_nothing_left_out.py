"""All rows are used: the weights are others, and right for another job."""

EXPECT = {
    "19/my_job_6": "WRONG",
}

my_name_6 = ...


def my_job_6(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        total, rows = sums(w, probe.rows(ids, x), y)
        context = tf.distribute.get_replica_context()
        total, rows = context.all_reduce("SUM", [total, rows])
        w.assign_sub(0.1 * total / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
