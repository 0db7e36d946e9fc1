"""The batches done stand in the code as a number."""

EXPECT = {
    "19/my_job_4": "WRONG",
}

my_name_4 = ...


def my_job_4(size, saved, probe):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    me, workers = probe.worker, probe.workers
    with strategy.scope():
        w, done = tf.Variable([0.0, 0.0]), tf.Variable(0)
    tf.train.Checkpoint(w=w, done=done).restore(saved)
    step = step_over_workers(strategy, w)
    probe.start(w)
    for batch in probe.data().batch(size).skip(3):
        ids, x, y = [part[me::workers] for part in batch]
        step(probe.rows(ids, x), y)
        probe.step(w)
