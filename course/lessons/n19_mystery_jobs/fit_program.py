"""A program that calls Keras' `fit` on the replicas of one process."""

from __future__ import annotations

from collections.abc import Collection

from course.lessons.n19_mystery_jobs.programs import Program
from course.lessons.n19_mystery_jobs.replica_programs import READERS
from course.lessons.n19_mystery_jobs.wording import Wording, shuffled


def fit(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return a model with one layer, a callback, and a call of `fit`.

    Nothing is left out: `thinned` must be False.
    """
    some = words.sometimes
    device, debug = some("pinned" in faults), some("eager" in faults)
    shard, unit = some("one_shard" in faults), some("larger_batch" in faults)
    log = some("host_read" in faults)
    asked = "os.environ.get('JOB_DEVICE')"
    out = "self.out(self.probe.rows(ids, x))"
    call = [f"        return {out}"]
    if device:
        call = [
            f"        asked = {asked}",
            "        with tf.device(asked) if asked else contextlib.nullcontext():",
            f"            return {out}",
        ]
    model = [
        "class Line$k(keras.Model):",
        "    def __init__(self, probe):",
        "        super().__init__()",
        "        self.probe = probe",
        "        self.out = keras.layers.Dense(",
        "            1, use_bias=False, kernel_initializer='zeros'",
        "        )",
        "",
        "    def call(self, inputs):",
        "        ids, x = inputs",
        *call,
    ]
    callback = [
        "class After$k(keras.callbacks.Callback):",
        "    def __init__(self, probe, settings):",
        "        super().__init__()",
        "        self.probe, self.settings = probe, settings",
        "",
        "    def on_train_batch_end(self, number, logs=None):",
        "        kernel = self.model.out.kernel",
    ]
    if log:
        callback += [
            "        if (number + 1) % self.settings['$log_every'] == 0:",
            "            assert np.isfinite(kernel.numpy()).all(), 'diverged'",
        ]
    callback.append("        self.probe.step(kernel)")
    feed = [
        "def feed_$k(folder, settings, strategy, probe):",
        "    $table = np.load(f'{folder}/rows.npz')",
        "    $data = tf.data.Dataset.from_tensor_slices(",
        "        ($table['ids'], $table['x'], $table['y'])",
        "    )",
    ]
    if shard:
        feed += [
            "    place, places = os.environ.get('SHARD', '0/1').split('/')",
            "    $data = $data.shard(int(places), int(place))",
        ]
    feed += [
        "    $data = $data.map(probe.decode, num_parallel_calls=settings['$readers'])",
        "    threads = tf.data.Options()",
        "    threads.threading.private_threadpool_size = 8",
        "    $size = settings['$batch']",
    ]
    if unit:
        feed += [
            "    if settings['$unit'] == 'device':",
            "        $size *= strategy.num_replicas_in_sync",
        ]
    feed += [
        "    $data = $data.with_options(threads).batch($size)",
        "    $data = $data.map(lambda ids, x, y: ((ids, x), y[:, None]))",
        "    return $data.prefetch(2)",
    ]
    eager = ", run_eagerly=os.environ.get('DEBUG') == '1'" if debug else ""
    entry = [
        "def job(folder, probe):",
        *(f"    {line}" for line in words.harmless),
        "    with open(f'{folder}/settings.json') as file:",
        "        settings = json.load(file)",
        "    strategy = mirrored(probe.devices)",
        "    with strategy.scope():",
        "        model = Line$k(probe)",
        "        rule = keras.optimizers.SGD(settings['$rate'])",
        f"        model.compile(rule, loss='mse'{eager})",
        "    model.fit(",
        "        feed_$k(folder, settings, strategy, probe),",
        "        callbacks=[After$k(probe, settings)],",
        "        shuffle=False,",
        "        verbose=0,",
        "    )",
    ]
    n = words.names
    settings = {n["batch"]: None, n["rate"]: 0.1}
    settings[n["readers"]] = 1 if "one_reader" in faults else READERS
    if unit:
        settings[n["unit"]] = "device" if "larger_batch" in faults else "step"
    if log:
        settings[n["log_every"]] = 1 if "host_read" in faults else 500
    return Program(
        tuple(words.text(*lines) for lines in (model, callback, feed)),
        words.text(*entry),
        shuffled(words.rng, settings | words.unused),
    )
