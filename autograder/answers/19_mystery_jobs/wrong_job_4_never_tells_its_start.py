"""The call of probe.start is gone."""

EXPECT = {
    "19/my_job_4": "CRASHED",
}

my_name_4 = ...


def my_job_4(size, saved, probe):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    me, workers = probe.worker, probe.workers
    with strategy.scope():
        w, done = tf.Variable([0.0, 0.0]), tf.Variable(0)
    tf.train.Checkpoint(w=w, done=done).restore(saved)
    step = step_over_workers(strategy, w)
    for batch in probe.data().batch(size).skip(done.numpy()):
        ids, x, y = [part[me::workers] for part in batch]
        step(probe.rows(ids, x), y)
