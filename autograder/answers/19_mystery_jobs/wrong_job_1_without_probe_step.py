"""The weights after each step are not shown, and changed at the end."""

EXPECT = {
    "19/my_job_1": "CRASHED",
}

my_name_1 = ...


def my_job_1(size, saved, probe):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    me, workers = probe.worker, probe.workers
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
    w.assign(tf.random.stateless_normal([2], [3, 0]))
    step = step_over_workers(strategy, w)
    probe.start(w)
    for batch in probe.data().batch(size):
        ids, x, y = [part[me::workers] for part in batch]
        step(probe.rows(ids, x), y)
    w.assign_add([9.0, 9.0])
