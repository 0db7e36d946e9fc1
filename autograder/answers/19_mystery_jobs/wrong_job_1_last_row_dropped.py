"""Nobody hangs any more, but the last row is never used."""

EXPECT = {
    "19/my_job_1": "WRONG",
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
    for batch in (
        probe.data().shard(workers, me).batch(size // workers, drop_remainder=True)
    ):
        ids, x, y = batch
        step(probe.rows(ids, x), y)
        probe.step(w)
