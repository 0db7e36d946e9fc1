"""A failure is named in the healthy job, and its code is left healthy."""

EXPECT = {
    "19/my_name_2": "WRONG",
    "19/my_place_2": "WRONG",
    "19/my_job_2": "WRONG",
}

my_name_2 = {"06"}
my_place_2 = None


def my_job_2(strategy, w, data, size, probe):
    def replica_step(ids, x, y):
        total, rows = sums(w, probe.rows(ids, x), y)
        context = tf.distribute.get_replica_context()
        total, rows = context.all_reduce("SUM", [total, rows])
        w.assign_sub(0.1 * total / rows)

    step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

    for batch in strategy.experimental_distribute_dataset(data.batch(size)):
        step(*batch)
        probe.step(w)
