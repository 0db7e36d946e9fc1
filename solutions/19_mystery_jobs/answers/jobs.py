"""Answers to the six jobs: what a learner may write, and what the checks say."""

from autograder.answers import gets


@gets(my_job_5="RIGHT")
class job_5_check_in_the_graph:
    """The check for finite weights is made in the graph."""

    my_name_5 = ...

    def my_job_5(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            w.assign(tf.debugging.check_numerics(w, "training diverged"))
            total, rows = sums(w, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_6="RIGHT")
class job_6_gathered_sums:
    """Every replica gathers two sums, not rows, and adds them up itself."""

    my_name_6 = ...

    def my_job_6(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            context = tf.distribute.get_replica_context()
            total, rows = sums(w, probe.rows(ids, x), y)
            totals = context.all_gather(total[None], axis=0)
            counts = context.all_gather(rows[None], axis=0)
            w.assign_sub(0.1 * tf.reduce_sum(totals, axis=0) / tf.reduce_sum(counts))

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_1="RIGHT", my_job_4="RIGHT")
class jobs_1_and_4:
    """Halves of each batch one after the other; a restore that says when names miss."""

    my_name_1 = ...

    my_name_4 = ...

    def my_job_1(size, saved, probe):
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        with strategy.scope():
            w = tf.Variable(tf.random.stateless_normal([2], [3, 0]))
        step = step_over_workers(strategy, w)
        probe.start(w)
        share = -(-size // probe.workers)
        first = probe.worker * share
        for ids, x, y in probe.data().batch(size):
            own = slice(first, first + share)
            step(probe.rows(ids[own], x[own]), y[own])
            probe.step(w)

    def my_job_4(size, saved, probe):
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = probe.worker, probe.workers
        with strategy.scope():
            w, done = tf.Variable([0.0, 0.0]), tf.Variable(0)
        tf.train.Checkpoint(w=w, done=done).restore(saved).assert_consumed()
        step = step_over_workers(strategy, w)
        probe.start(w)
        for batch in probe.data().skip(size * int(done.numpy())).batch(size):
            ids, x, y = [part[me::workers] for part in batch]
            step(probe.rows(ids, x), y)
            probe.step(w)


@gets(my_job_2="RIGHT", my_job_3="RIGHT")
class jobs_2_and_3:
    """The healthy job in other words; the work on the replicas' own devices."""

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


@gets(my_job_5="RIGHT", my_job_6="RIGHT")
class jobs_5_and_6:
    """One read when all is over; the rows drawn by their numbers."""

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


@gets(
    my_name_1="RIGHT",
    my_place_1="RIGHT",
    my_name_2="RIGHT",
    my_place_2="RIGHT",
    my_name_3="RIGHT",
    my_place_3="RIGHT",
    my_name_4="RIGHT",
    my_place_4="RIGHT",
    my_name_5="RIGHT",
    my_place_5="RIGHT",
    my_name_6="RIGHT",
    my_place_6="RIGHT",
)
class names_and_places:
    """All six jobs named and located, as read from their tables."""

    my_name_1 = {"16"}

    my_place_1 = (7, "working", 1)

    my_name_2 = set()

    my_place_2 = None

    my_name_3 = "06"

    my_place_3 = (1, "working", 1)

    my_name_4 = {18}

    my_place_4 = (0, "off", 0.777)

    my_name_5 = ["08"]

    my_place_5 = [1, "reads", 1]

    my_name_6 = {"04", "03"}

    my_place_6 = (1, "rows", 2)


@gets(
    my_name_1="CRASHED",
    my_name_2="CRASHED",
    my_place_1="CRASHED",
    my_place_3="CRASHED",
    my_job_3="CRASHED",
)
class formats:
    """What is no name, no place and no job."""

    my_name_1 = {"hang"}

    my_name_2 = None

    my_place_1 = (5, "waits", 1)

    my_name_3 = ...

    my_place_3 = "step 1"

    my_job_3 = "with tf.device"


@gets(my_job_1="WRONG")
class job_1_everybody_reads_all:
    """Every worker takes whole batches: nothing is shared."""

    my_name_1 = ...

    def my_job_1(size, saved, probe):
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])
        w.assign(tf.random.stateless_normal([2], [3, 0]))
        step = step_over_workers(strategy, w)
        probe.start(w)
        for batch in probe.data().batch(size):
            ids, x, y = batch
            step(probe.rows(ids, x), y)
            probe.step(w)


@gets(my_job_1="WRONG")
class job_1_last_row_dropped:
    """Nobody hangs any more, but the last row is never used."""

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


@gets(my_job_1="WRONG")
class job_1_one_trains:
    """Only worker 0 takes rows: right weights, but nothing is shared."""

    my_name_1 = ...

    def my_job_1(size, saved, probe):
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me = probe.worker
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])
        w.assign(tf.random.stateless_normal([2], [3, 0]))
        step = step_over_workers(strategy, w)
        probe.start(w)
        for batch in probe.data().batch(size):
            ids, x, y = [part[: size * (me == 0)] for part in batch]
            step(probe.rows(ids, x), y)
            probe.step(w)


@gets(my_job_1="WRONG")
class job_1_sizes_written_down:
    """The numbers of this job stand in the code."""

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


@gets(my_job_1="CRASHED")
class job_1_without_probe_step:
    """The weights after each step are not shown, and changed at the end."""

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


@gets(my_name_2="WRONG", my_place_2="WRONG", my_job_2="WRONG")
class job_2_healthy_but_named:
    """A failure is named in the healthy job, and its code is left healthy."""

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


@gets(my_job_2="WRONG")
class job_2_repaired_to_death:
    """The healthy job gets the mean of means."""

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


@gets(my_job_3="WRONG")
class job_3_another_device:
    """The work is pinned to another device."""

    my_name_3 = ...

    def my_job_3(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            with tf.device("CPU:1"):
                total, rows = sums(w, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_3="CRASHED")
class job_3_endless:
    """A loop without an end."""

    my_name_3 = ...

    def my_job_3(strategy, w, data, size, probe):
        while True:
            probe.step(w)


@gets(my_job_3="WRONG")
class job_3_probe_moved_out:
    """Only the probe leaves the block; the work is still on one device."""

    my_name_3 = ...

    def my_job_3(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            x = probe.rows(ids, x)
            with tf.device("CPU:0"):
                total, rows = sums(w, x, y)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_4="WRONG")
class job_4_done_written_down:
    """The batches done stand in the code as a number."""

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


@gets(my_job_4="CRASHED")
class job_4_never_tells_its_start:
    """The call of probe.start is gone."""

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


@gets(my_job_4="WRONG")
class job_4_without_done:
    """The weights come back, but training begins at row 0."""

    my_name_4 = ...

    def my_job_4(size, saved, probe):
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = probe.worker, probe.workers
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])
        tf.train.Checkpoint(w=w).restore(saved).expect_partial()
        step = step_over_workers(strategy, w)
        probe.start(w)
        for batch in probe.data().batch(size):
            ids, x, y = [part[me::workers] for part in batch]
            step(probe.rows(ids, x), y)
            probe.step(w)


@gets(my_job_5="WRONG")
class job_5_eager:
    """The check goes into the step, which is no graph any more."""

    my_name_5 = ...

    def my_job_5(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            total, rows = sums(w, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            w.assign_sub(0.1 * total / rows)

        def step(*batch):
            strategy.run(replica_step, args=batch)

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_5="WRONG")
class job_5_numpy_looks:
    """NumPy looks at a tensor in every step."""

    my_name_5 = ...

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
            assert np.isfinite(w.read_value()).all(), "training diverged"
            probe.step(w)


@gets(my_job_5="WRONG")
class job_5_check_outside:
    """The operation that checks runs in every step, but not in the graph."""

    my_name_5 = ...

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
            tf.debugging.check_numerics(w.read_value(), "training diverged")
            probe.step(w)


@gets(my_job_5="WRONG")
class job_5_python_in_the_graph:
    """The graph calls Python in every step, with the value."""

    my_name_5 = ...

    def my_job_5(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            total, rows = sums(w, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            tf.py_function(np.isfinite, [rows], tf.bool)
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_5="WRONG")
class job_5_memory:
    """NumPy looks at the tensor's memory."""

    my_name_5 = ...

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
            assert np.isfinite(np.frombuffer(w.read_value(), np.float32)).all()
            probe.step(w)


@gets(my_job_5="WRONG")
class job_5_dlpack:
    """The tensor is handed to another library, which reads it."""

    my_name_5 = ...

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
            assert np.isfinite(np.from_dlpack(w.read_value())).all()
            probe.step(w)


@gets(my_job_5="WRONG")
class job_5_view:
    """Python looks at the tensor's memory."""

    my_name_5 = ...

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
            assert max(map(abs, memoryview(w.read_value()))) < 1e6
            probe.step(w)


@gets(my_job_5="WRONG")
class job_5_read_elsewhere:
    """The host still waits in every step, for another value."""

    my_name_5 = ...

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
            assert float(tf.norm(w)) < 1e6, "training diverged"
            probe.step(w)


@gets(my_job_6="WRONG")
class job_6_gathered:
    """Every replica gathers all rows: right weights, no work shared."""

    my_name_6 = ...

    def my_job_6(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            context = tf.distribute.get_replica_context()
            x = context.all_gather(probe.rows(ids, x), axis=0)
            total, rows = sums(w, x, context.all_gather(y, axis=0))
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_6="CRASHED")
class job_6_gives_up:
    """An error in the job's code."""

    my_name_6 = ...

    def my_job_6(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            total, rows = sums(w, probe.rows(ids, x), z)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_6="WRONG")
class job_6_mask_only:
    """Only one of two faults is repaired: the rows that are left out."""

    my_name_6 = ...

    def my_job_6(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            total, rows = sums(w, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            total = context.all_reduce("SUM", total)
            w.assign_sub(0.1 * total / size)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_6="WRONG")
class job_6_nothing_left_out:
    """All rows are used: the weights are others, and right for another job."""

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


@gets(my_job_6="WRONG")
class job_6_number_only:
    """Only one of two faults is repaired: the number of rows."""

    my_name_6 = ...

    def my_job_6(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            me = tf.distribute.get_replica_context().replica_id_in_sync_group
            keep = tf.random.stateless_uniform(tf.shape(ids), [7, me]) < 0.8
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            total, rows = sums(w, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_6="WRONG")
class job_6_probe_unused:
    """The probe is called, and what it returns is not used."""

    my_name_6 = ...

    def my_job_6(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            probe.rows(ids, x)
            total, rows = sums(w, x, y)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(my_job_6="WRONG")
class job_6_without_probe:
    """Right, but nobody can see which rows were used."""

    my_name_6 = ...

    def my_job_6(strategy, w, data, size, probe):
        def replica_step(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            total, rows = sums(w, x, y)
            context = tf.distribute.get_replica_context()
            total, rows = context.all_reduce("SUM", [total, rows])
            w.assign_sub(0.1 * total / rows)

        step = tf.function(lambda *batch: strategy.run(replica_step, args=batch))

        for batch in strategy.experimental_distribute_dataset(data.batch(size)):
            step(*batch)
            probe.step(w)


@gets(
    my_name_1="WRONG",
    my_name_2="WRONG",
    my_name_3="WRONG",
    my_name_4="WRONG",
    my_name_5="WRONG",
    my_name_6="WRONG",
)
class names:
    """A neighbour's name for every job."""

    my_name_1 = {"12"}

    my_name_2 = {"10"}

    my_name_3 = {"08"}

    my_name_4 = {"17"}

    my_name_5 = {"07"}

    my_name_6 = {"04"}


@gets(
    my_name_1="NOT ATTEMPTED",
    my_place_1="NOT ATTEMPTED",
    my_name_2="NOT ATTEMPTED",
    my_place_2="NOT ATTEMPTED",
)
class nothing_said:
    """Nothing is filled in."""

    my_name_1 = ...

    my_place_1 = ...

    my_name_2 = ...

    my_place_2 = ...


@gets(
    my_place_1="WRONG",
    my_place_2="WRONG",
    my_place_3="WRONG",
    my_place_4="WRONG",
    my_place_5="WRONG",
    my_place_6="WRONG",
)
class places:
    """One step late, one column to the right, or no place at all."""

    my_name_1 = ...

    my_place_1 = (4, "working", 2)

    my_name_2 = {"02"}

    my_place_2 = None

    my_name_3 = ...

    my_place_3 = (2, "working", 1)

    my_name_4 = ...

    my_place_4 = (1, "off", 0.537)

    my_name_5 = ...

    my_place_5 = None

    my_name_6 = ...

    my_place_6 = (1, "off", 0.0314)
