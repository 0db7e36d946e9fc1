"""A program that calls Keras' `fit` on the replicas of one process."""

from __future__ import annotations

from collections.abc import Collection

from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.programs.slots import READ, Slots, indented
from course.lessons.n21_mystery_jobs.programs.wording import Wording


def fit(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return a model with one layer, a callback, and a call of `fit`.

    Nothing is left out: `thinned` must be False.
    """
    slots = Slots(words, faults, thinned=False, keras=True)
    out = ["return self.out(self.probe.rows(ids, x))"]
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
        *indented(slots.on_device(out), 2),
    ]
    callback = [
        "class After$k(keras.callbacks.Callback):",
        "    def __init__(self, probe, settings):",
        "        super().__init__()",
        "        self.probe, self.settings = probe, settings",
        "",
        "    def on_train_batch_end(self, number, logs=None):",
        "        kernel = self.model.out.kernel",
        *indented(slots.guard("self.settings", "kernel"), 2),
        "        self.probe.step(kernel)",
    ]
    feed = [
        "def feed_$k(folder, settings, strategy, probe):",
        *indented(slots.batches("folder")),
        "    $data = $data.map(lambda ids, x, y: ((ids, x), y[:, None]))",
        "    return $data.prefetch(2)",
    ]
    eager = ", run_eagerly=os.environ.get('DEBUG') == '1'" if slots.debug else ""
    entry = [
        "def job(folder, probe):",
        *indented([*words.harmless, *READ]),
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
    return slots.program([model, callback, feed], entry)
