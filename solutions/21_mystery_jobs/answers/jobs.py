"""Answers to the six jobs: what a learner may write, and what the checks say."""

from autograder.answers import gets


@gets(my_job_1="RIGHT", my_job_4="RIGHT")
class masks_looked_up_and_a_late_read:
    """Rows to keep from a table; the weights are read when all is over."""

    my_name_1 = ...

    my_name_4 = ...

    def make_step_1(settings, strategy, probe, theta):
        kept = tf.map_fn(
            keeps, tf.range(500, dtype=tf.int64), fn_output_signature=tf.bool
        )

        def on_replica(ids, x, y):
            keep = tf.gather(kept, ids)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            slope, n = sums(theta, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            slope = context.all_reduce("SUM", slope)
            n = context.all_reduce("SUM", n)
            theta.assign_sub(settings["lr"] * slope / n)

        @tf.function
        def step(*batch):
            strategy.run(on_replica, args=batch)

        return step

    def my_job_1(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            theta = tf.Variable([0.0, 0.0])
        step = make_step_1(settings, strategy, probe, theta)
        feed = runpy.run_path(f"{folder}/feeding.py")["feed"]
        for batch in feed(folder, settings, strategy, probe):
            step(*batch)
            probe.step(theta)

    def my_job_4(folder, probe):
        class Later(Trainer4):
            def train(self):
                step = self.make_step()
                for batch in self.feed():
                    step(*batch)
                    self.probe.step(self.theta)
                assert np.isfinite(self.theta.numpy()).all(), "diverged"

        Later(folder, probe).train()


@gets(my_job_2="RIGHT", my_job_6="RIGHT")
class no_device_asked_for_and_a_file_read_by_hand:
    """The model asks for no device; the weights come from the file by their name."""

    my_name_2 = ...

    my_name_6 = ...

    class Plain(keras.Model):
        def __init__(self, probe):
            super().__init__()
            self.probe = probe
            self.out = keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")

        def call(self, inputs):
            ids, x = inputs
            return self.out(self.probe.rows(ids, x))

    def my_job_2(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        settings["workers_of_input"] = 3
        strategy = mirrored(probe.devices)
        with strategy.scope():
            model = Plain(probe)
            model.compile(keras.optimizers.SGD(settings["learning_rate"]), loss="mse")
        model.fit(
            feed_2(folder, settings, strategy, probe),
            callbacks=[After2(probe, settings)],
            shuffle=False,
            verbose=0,
        )

    def my_job_6(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = int(os.environ["RANK"]), int(os.environ["WORLD"])
        saved = tf.train.load_checkpoint(f"{folder}/saved")
        with strategy.scope():
            w = tf.Variable(saved.get_tensor("weights/.ATTRIBUTES/VARIABLE_VALUE"))
        done = int(saved.get_tensor("done/.ATTRIBUTES/VARIABLE_VALUE"))
        step = make_step_6(strategy, w, settings)
        probe.start(w)
        for ids, x, y in batches_6(folder, settings, me, workers).skip(done):
            step(probe.rows(ids, x), y)
            probe.step(w)


@gets(my_job_1="RIGHT", my_job_2="RIGHT")
class one_job_for_both_kinds:
    """All in one function, without the colleagues' parts; a batch of a known size."""

    my_name_1 = ...

    my_name_2 = ...

    def trained(folder, probe, rate, size, thinned):
        strategy = mirrored(probe.devices)
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])
        table = np.load(f"{folder}/rows.npz")
        data = tf.data.Dataset.from_tensor_slices(
            (table["ids"], table["x"], table["y"])
        )
        data = data.map(probe.decode, num_parallel_calls=4)
        options = tf.data.Options()
        options.threading.private_threadpool_size = 4
        data = data.with_options(options).batch(size)

        def on_replica(ids, x, y):
            if thinned:
                keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
                ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            own = sums(w, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            total, n = context.all_reduce("SUM", list(own))
            w.assign_sub(rate * total / n)

        step = tf.function(lambda *batch: strategy.run(on_replica, args=batch))
        for batch in strategy.experimental_distribute_dataset(data):
            step(*batch)
            probe.step(w)

    def my_job_1(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        with open(f"{folder}/feeding.py") as file:
            feeding = file.read()
        name = "batch" if 'settings["batch"]' in feeding else "batch_size"
        size = settings.get(name, settings.get("rows"))
        trained(folder, probe, settings["lr"], size, True)

    def my_job_2(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        trained(folder, probe, settings["learning_rate"], settings["rows"], False)


@gets(my_job_3="RIGHT", my_job_5="RIGHT")
class healthy_in_other_words:
    """The healthy jobs, written anew."""

    my_name_3 = set()

    my_name_5 = []

    def my_job_3(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = int(os.environ["RANK"]), int(os.environ["WORLD"])
        with strategy.scope():
            w = tf.Variable(tf.random.stateless_normal([2], [3, 0]))
        step = make_step_3(strategy, w, settings)
        probe.start(w)
        share = -(-settings["batch_size"] // workers)
        own = slice(me * share, (me + 1) * share)
        for ids, x, y in batches_3(folder, settings, me, workers):
            step(probe.rows(ids[own], x[own]), y[own])
            probe.step(w)

    def my_job_5(folder, probe):
        settings = read_settings_5(folder)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])
        step = make_step_5(strategy, w, w, settings, probe)
        for batch in feed_5(folder, settings, strategy, probe):
            step(*batch)
            probe.step(w)


@gets(my_job_4="RIGHT", my_job_6="RIGHT")
class a_setting_and_a_name:
    """The setting is changed before the steps; the checkpoint's own name is used."""

    my_name_4 = ...

    my_name_6 = ...

    def my_job_4(folder, probe):
        trainer = Trainer4(folder, probe)
        trainer.settings = trainer.settings | {"log_every": 10**6}
        trainer.train()

    def my_job_6(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = int(os.environ["RANK"]), int(os.environ["WORLD"])
        with strategy.scope():
            w, done = tf.Variable([0.0, 0.0]), tf.Variable(0)
        saved = tf.train.Checkpoint(weights=w, done=done)
        saved.restore(f"{folder}/saved").assert_existing_objects_matched()
        step = make_step_6(strategy, w, settings)
        probe.start(w)
        data = batches_6(folder, settings, me, workers).skip(int(done.numpy()))
        for ids, x, y in data:
            step(probe.rows(ids, x), y)
            probe.step(w)


@gets(
    my_name_1="RIGHT",
    my_name_2="RIGHT",
    my_name_3="RIGHT",
    my_name_4="RIGHT",
    my_name_5="RIGHT",
    my_name_6="RIGHT",
    my_place_1="RIGHT",
    my_place_2="RIGHT",
    my_place_3="RIGHT",
    my_place_4="RIGHT",
    my_place_5="RIGHT",
    my_place_6="RIGHT",
)
class names_and_places:
    """All of them, each in its own way to write it."""

    my_name_1 = "04"

    my_name_2 = [7, "08"]

    my_name_3 = set()

    my_name_4 = {"9"}

    my_name_5 = set()

    my_name_6 = {19}

    my_place_1 = (0, "rows", 2)

    my_place_2 = (0, "working", 1)

    my_place_3 = None

    my_place_4 = (0, "READS", 1.0)

    my_place_5 = None

    my_place_6 = ("start", "off", 0.548)


@gets(
    my_name_2="RIGHT",
    my_place_1="RIGHT",
    my_place_4="RIGHT",
    my_place_6="RIGHT",
    my_name_5="NOT ATTEMPTED",
    my_place_5="WRONG",
)
class places_without_names:
    """A place may be right before there is a name; nowhere goes with healthy only."""

    my_name_1 = ...

    my_name_2 = {"08", "07"}

    my_name_4 = "not enough seen yet"

    my_name_5 = "Not enough seen yet."

    my_name_6 = ...

    my_place_1 = [0, "rows", 2]

    my_place_4 = (0, "reads", 1)

    my_place_5 = None

    my_place_6 = (-1, "off", 0.55)


@gets(
    my_name_1="WRONG",
    my_name_2="WRONG",
    my_name_3="WRONG",
    my_name_4="WRONG",
    my_name_5="WRONG",
    my_name_6="WRONG",
    my_place_1="WRONG",
    my_place_2="WRONG",
    my_place_3="WRONG",
    my_place_4="WRONG",
    my_place_5="WRONG",
    my_place_6="WRONG",
)
class wrong_names_take_the_place_with_them:
    """The places are right; the names are not, or not all of it, or too much."""

    my_name_1 = {"01"}

    my_name_2 = {"07"}

    my_name_3 = {"17"}

    my_name_4 = {"07", "09"}

    my_name_5 = {"08"}

    my_name_6 = {"18"}

    my_place_1 = (0, "rows", 2)

    my_place_2 = (0, "working", 1)

    my_place_3 = None

    my_place_4 = (0, "reads", 1)

    my_place_5 = None

    my_place_6 = ("start", "off", 0.548)


@gets(
    my_place_1="WRONG",
    my_place_2="WRONG",
    my_place_4="WRONG",
    my_place_6="WRONG",
    my_name_3="WRONG",
    my_place_3="WRONG",
    my_name_5="WRONG",
    my_place_5="WRONG",
    my_job_5="WRONG",
)
class wrong_places:
    """A later column, a later step, another number; and what cannot be read."""

    my_name_1 = {"04"}

    my_name_2 = ...

    my_name_3 = {"races"}

    my_name_4 = {"09"}

    my_name_5 = {}

    my_name_6 = {"19"}

    my_place_1 = (0, "off", 0.155)

    my_place_2 = (0, "readers", 1)

    my_place_3 = (1, "weights", 2)

    my_place_4 = (1, "reads", 1)

    my_place_5 = None

    my_place_6 = ("start", "off", 0.7)

    def my_job_5(folder, probe):
        broken_job_5(folder, probe)


@gets(my_job_1="NOT ATTEMPTED", my_job_2="WRONG")
class half_a_repair:
    """All rows are used, as the shipped mask does; and of two faults one is left."""

    my_name_1 = {"04"}

    my_name_2 = {"07", "08"}

    def make_step_1(settings, strategy, probe, theta):
        def on_replica(ids, x, y):
            slope, n = sums(theta, probe.rows(ids, x), y)
            context = tf.distribute.get_replica_context()
            slope, n = context.all_reduce("SUM", [slope, n])
            theta.assign_sub(settings["lr"] * slope / n)

        return tf.function(lambda *batch: strategy.run(on_replica, args=batch))

    def my_job_1(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            theta = tf.Variable([0.0, 0.0])
        step = make_step_1(settings, strategy, probe, theta)
        feed = runpy.run_path(f"{folder}/feeding.py")["feed"]
        for batch in feed(folder, settings, strategy, probe):
            step(*batch)
            probe.step(theta)

    def my_job_2(folder, probe):
        os.environ.pop("JOB_DEVICE", None)
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            model = Line2(probe)
            model.compile(keras.optimizers.SGD(settings["learning_rate"]), loss="mse")
        model.fit(
            feed_2(folder, settings, strategy, probe),
            callbacks=[After2(probe, settings)],
            shuffle=False,
            verbose=0,
        )


@gets(my_job_2="WRONG", my_job_1="WRONG")
class the_other_half_and_rows_gathered:
    """The device stays; and every replica gathers the rows of all."""

    my_name_1 = {"04"}

    my_name_2 = {"07", "08"}

    def my_job_2(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        settings["workers_of_input"] = 4
        strategy = mirrored(probe.devices)
        with strategy.scope():
            model = Line2(probe)
            model.compile(keras.optimizers.SGD(settings["learning_rate"]), loss="mse")
        model.fit(
            feed_2(folder, settings, strategy, probe),
            callbacks=[After2(probe, settings)],
            shuffle=False,
            verbose=0,
        )

    def make_step_1(settings, strategy, probe, theta):
        def on_replica(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            x = probe.rows(ids, x)
            context = tf.distribute.get_replica_context()
            x, y = context.all_gather([x, y], axis=0)
            slope, n = sums(theta, x, y)
            theta.assign_sub(settings["lr"] * slope / n)

        return tf.function(lambda *batch: strategy.run(on_replica, args=batch))

    def my_job_1(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            theta = tf.Variable([0.0, 0.0])
        step = make_step_1(settings, strategy, probe, theta)
        feed = runpy.run_path(f"{folder}/feeding.py")["feed"]
        for batch in feed(folder, settings, strategy, probe):
            step(*batch)
            probe.step(theta)


@gets(my_job_1="WRONG")
class rows_sent_in_a_sum:
    """Every replica writes its rows into a table of zeros; all add up the tables."""

    my_name_1 = {"04"}

    def make_step_1(settings, strategy, probe, theta):
        def on_replica(ids, x, y):
            keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)
            ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]
            x = probe.rows(ids, x)
            table = tf.scatter_nd(
                ids[:, None], tf.concat([x, y[:, None], x[:, :1] * 0 + 1], 1), [100, 4]
            )
            context = tf.distribute.get_replica_context()
            table = context.all_reduce("SUM", table)
            slope, _ = sums(theta, table[:, :2], table[:, 2])
            n = tf.reduce_sum(table[:, 3])
            theta.assign_sub(settings["lr"] * slope / n)

        return tf.function(lambda *batch: strategy.run(on_replica, args=batch))

    def my_job_1(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            theta = tf.Variable([0.0, 0.0])
        step = make_step_1(settings, strategy, probe, theta)
        feed = runpy.run_path(f"{folder}/feeding.py")["feed"]
        for batch in feed(folder, settings, strategy, probe):
            step(*batch)
            probe.step(theta)


@gets(my_job_3="WRONG", my_job_5="WRONG")
class healthy_but_named:
    """A job that needs no repair, under a name that it does not have."""

    my_name_3 = {"17"}

    my_name_5 = {"09"}

    def my_job_3(folder, probe):
        broken_job_3(folder, probe)

    def my_job_5(folder, probe):
        broken_job_5(folder, probe)


@gets(my_job_3="WRONG", my_job_5="WRONG")
class healthy_and_repaired_to_death:
    """Called healthy, and changed for the worse: a step left out, no graph."""

    my_name_3 = set()

    my_name_5 = set()

    def my_job_3(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = int(os.environ["RANK"]), int(os.environ["WORLD"])
        w, done = weights_3(folder, settings, strategy)
        step = make_step_3(strategy, w, settings)
        probe.start(w)
        for ids, x, y in batches_3(folder, settings, me, workers).skip(1):
            step(probe.rows(ids[me::workers], x[me::workers]), y[me::workers])
            probe.step(w)

    def my_job_5(folder, probe):
        os.environ["DEBUG"] = "1"
        broken_job_5(folder, probe)


@gets(my_job_4="NOT ATTEMPTED", my_job_6="WRONG")
class read_in_another_way:
    """The host reads as often, by float; and rows that were done are done again."""

    my_name_4 = {"09"}

    my_name_6 = {"19"}

    def my_job_4(folder, probe):
        trainer = Trainer4(folder, probe)
        trainer.settings["log_every"] = 500
        step = trainer.make_step()
        for batch in trainer.feed():
            step(*batch)
            largest = float(tf.reduce_max(trainer.theta))
            assert largest < 1e6
            trainer.probe.step(trainer.theta)

    def my_job_6(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = int(os.environ["RANK"]), int(os.environ["WORLD"])
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])
        tf.train.Checkpoint(weights=w).restore(f"{folder}/saved").expect_partial()
        step = make_step_6(strategy, w, settings)
        probe.start(w)
        for ids, x, y in batches_6(folder, settings, me, workers):
            step(probe.rows(ids, x), y)
            probe.step(w)


@gets(my_job_6="WRONG", my_job_4="WRONG")
class numbers_written_down:
    """Weights and batches of this run, for all runs; and no steps at all."""

    my_name_4 = ...

    my_name_6 = ...

    def my_job_6(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = int(os.environ["RANK"]), int(os.environ["WORLD"])
        with strategy.scope():
            w = tf.Variable([0.5, -0.2])
        step = make_step_6(strategy, w, settings)
        probe.start(w)
        for ids, x, y in batches_6(folder, settings, me, workers).skip(1):
            step(probe.rows(ids, x), y)
            probe.step(w)

    def my_job_4(folder, probe):
        trainer = Trainer4(folder, probe)
        trainer.make_step()


@gets(my_job_6="CRASHED", my_job_4="CRASHED")
class errors:
    """A restore that says what is missing; a setting that is not there."""

    my_name_4 = ...

    my_name_6 = ...

    def my_job_6(folder, probe):
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        with strategy.scope():
            w, done = tf.Variable([0.0, 0.0]), tf.Variable(0)
        saved = tf.train.Checkpoint(w=w, done=done).restore(f"{folder}/saved")
        saved.assert_consumed()

    def my_job_4(folder, probe):
        trainer = Trainer4(folder, probe)
        del trainer.settings["log_every"]
        trainer.train()


@gets(
    my_job_1="NOT ATTEMPTED",
    my_job_4="NOT ATTEMPTED",
    my_name_1="NOT ATTEMPTED",
    my_place_1="NOT ATTEMPTED",
)
class nothing_done:
    """As it was shipped, with a new name only."""

    my_name_1 = ...

    my_place_1 = ...

    my_name_4 = ...

    def my_job_1(folder, probe):
        report = {"started": time.strftime("%H:%M"), "steps": 0}  # noqa: F841
        tf.random.set_seed(71)
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            theta = tf.Variable([0.0, 0.0])
        step = make_step_1(settings, strategy, probe, theta)
        feed = runpy.run_path(f"{folder}/feeding.py")["feed"]
        batches = feed(folder, settings, strategy, probe)
        for batch in batches:
            step(*batch)
            probe.step(theta)

    def my_job_4(folder, probe):
        tf.random.set_seed(58)
        report = {"started": time.strftime("%H:%M"), "steps": 0}  # noqa: F841
        Trainer4(folder, probe).train()


@gets(
    my_job_1="NOT ATTEMPTED",
    my_job_2="NOT ATTEMPTED",
    my_job_3="NOT ATTEMPTED",
    my_job_4="NOT ATTEMPTED",
    my_job_5="NOT ATTEMPTED",
    my_job_6="NOT ATTEMPTED",
)
class prints_and_does_the_same:
    """One harmless line in each job, names left open: healthy or not, as shipped."""

    my_name_1 = ...

    my_name_2 = ...

    my_name_3 = "not enough seen yet"

    my_name_4 = ...

    my_name_5 = "not enough seen yet"

    my_name_6 = ...

    def my_job_1(folder, probe):
        with open(f"{folder}/settings.json") as file:
            print(file.read())
        broken_job_1(folder, probe)

    def my_job_2(folder, probe):
        with open(f"{folder}/settings.json") as file:
            print(file.read())
        broken_job_2(folder, probe)

    def my_job_3(folder, probe):
        with open(f"{folder}/settings.json") as file:
            print(file.read())
        broken_job_3(folder, probe)

    def my_job_4(folder, probe):
        with open(f"{folder}/settings.json") as file:
            print(file.read())
        broken_job_4(folder, probe)

    def my_job_5(folder, probe):
        print(dict(os.environ))
        broken_job_5(folder, probe)

    def my_job_6(folder, probe):
        print(dict(os.environ))
        broken_job_6(folder, probe)


@gets(my_job_4="NOT ATTEMPTED", my_job_6="NOT ATTEMPTED")
class named_and_does_the_same:
    """The names are right, and nothing is repaired yet."""

    my_name_4 = {"09"}

    my_name_6 = {"19"}

    def my_job_4(folder, probe):
        os.environ["LOG"] = "all"
        trainer = Trainer4(folder, probe)
        trainer.train()

    def my_job_6(folder, probe):
        print("begins")
        broken_job_6(folder, probe)


@gets(my_job_3="NOT ATTEMPTED", my_job_5="NOT ATTEMPTED")
class healthy_in_other_words_but_not_called_so:
    """Right, and no repair: a healthy job counts when it is named healthy."""

    my_name_3 = ...

    my_name_5 = ...

    def my_job_3(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = int(os.environ["RANK"]), int(os.environ["WORLD"])
        with strategy.scope():
            w = tf.Variable(tf.random.stateless_normal([2], [3, 0]))
        step = make_step_3(strategy, w, settings)
        probe.start(w)
        share = -(-settings["batch_size"] // workers)
        own = slice(me * share, (me + 1) * share)
        for ids, x, y in batches_3(folder, settings, me, workers):
            step(probe.rows(ids[own], x[own]), y[own])
            probe.step(w)

    def my_job_5(folder, probe):
        settings = read_settings_5(folder)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])
        step = make_step_5(strategy, w, w, settings, probe)
        for batch in feed_5(folder, settings, strategy, probe):
            step(*batch)
            probe.step(w)


@gets(my_job_3="WRONG", my_job_5="WRONG", my_job_1="WRONG")
class worse_without_a_name:
    """Changed for the worse, names open: healthy jobs and broken ones get the same."""

    my_name_1 = ...

    my_name_3 = ...

    my_name_5 = ...

    def my_job_1(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            theta = tf.Variable([1.0, 0.0])
        step = make_step_1(settings, strategy, probe, theta)
        feed = runpy.run_path(f"{folder}/feeding.py")["feed"]
        for batch in feed(folder, settings, strategy, probe):
            step(*batch)
            probe.step(theta)

    def my_job_3(folder, probe):
        with open(f"{folder}/settings.json") as file:
            settings = json.load(file)
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        me, workers = int(os.environ["RANK"]), int(os.environ["WORLD"])
        w, done = weights_3(folder, settings, strategy)
        step = make_step_3(strategy, w, settings)
        probe.start(w)
        for ids, x, y in batches_3(folder, settings, me, workers).skip(1):
            step(probe.rows(ids[me::workers], x[me::workers]), y[me::workers])
            probe.step(w)

    def my_job_5(folder, probe):
        settings = read_settings_5(folder)
        strategy = mirrored(probe.devices)
        with strategy.scope():
            w = tf.Variable([1.0, 0.0])
        step = make_step_5(strategy, w, w, settings, probe)
        for batch in feed_5(folder, settings, strategy, probe):
            step(*batch)
            probe.step(w)


@gets(my_job_2="CRASHED", my_job_5="CRASHED")
class errors_that_hold_the_state:
    """Names open; the error's words are what the job finds."""

    my_name_2 = ...

    my_name_5 = ...

    def my_job_2(folder, probe):
        with open(f"{folder}/settings.json") as file:
            raise RuntimeError(file.read())

    def my_job_5(folder, probe):
        broken_job_5(folder, probe)
        raise RuntimeError(str(probe.steps[0]))
