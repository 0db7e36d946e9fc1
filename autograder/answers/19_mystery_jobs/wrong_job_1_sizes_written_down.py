"""The numbers of this job stand in the code."""

EXPECT = {
    "19/my_job_1": "WRONG",
}

my_name_1 = ...


def my_job_1(size, saved, probe):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    me = probe.worker
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
    w.assign(tf.random.stateless_normal([2], [3, 0]))
    step = step_over_workers(strategy, w)
    probe.start(w)
    for batch in probe.data().batch(8):
        ids, x, y = [part[me::2] for part in batch]
        step(probe.rows(ids, x), y)
        probe.step(w)
