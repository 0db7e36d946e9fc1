"""Programs that train on the replicas of one process, in a loop of their own."""

from __future__ import annotations

from collections.abc import Collection

from course.lessons.n19_mystery_jobs.programs import Program
from course.lessons.n19_mystery_jobs.wording import Wording, shuffled

READERS = 4
CHOOSE = "ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]"
DRAW = "keep = tf.random.stateless_uniform(tf.shape(ids), [7, {}]) < 0.8"
THINNING = {
    "": ("keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)", CHOOSE),
    "same_mask": (DRAW.format("0"), CHOOSE),
    "replica_mask": (
        "own = tf.distribute.get_replica_context().replica_id_in_sync_group",
        DRAW.format("own"),
        CHOOSE,
    ),
}
CONTEXT = "context = tf.distribute.get_replica_context()"
CHANGE = "$W.assign_sub($CFG['$rate'] * $total / n)"
UPDATES = {
    "": (CONTEXT, "$total, n = context.all_reduce('SUM', [$total, n])", CHANGE),
    "own_gradient": (CHANGE,),
    "sum_of_means": (
        CONTEXT,
        "$total = context.all_reduce('SUM', $total / n)",
        "$W.assign_sub($CFG['$rate'] * $total)",
    ),
    "mean_of_means": (
        CONTEXT,
        "$total = context.all_reduce('MEAN', $total / n)",
        "$W.assign_sub($CFG['$rate'] * $total)",
    ),
    "fixed_size": (
        CONTEXT,
        "$total = context.all_reduce('SUM', $total)",
        "$W.assign_sub($CFG['$rate'] * $total / $CFG['$batch'])",
    ),
}


class _Slots:
    """The lines of a job's parts; what only a fault would need is there at random."""

    def __init__(
        self, words: Wording, faults: Collection[str], thinned: bool, *, own: str = ""
    ) -> None:
        self.words, self.faults, self.thinned = words, faults, thinned
        self.wrong = frozenset() if words.mended else faults
        n = words.names
        n |= {"CFG": f"{own}settings", "W": f"{own}{n['w']}", "S": f"{own}strategy"}
        n |= {"P": f"{own}probe", "SEEN": f"{own}seen", "FOLDER": f"{own}folder"}
        some = words.sometimes
        self.shard = some("one_shard" in faults)
        self.unit = some("larger_batch" in faults)
        self.rest = some("dropped_tail" in faults)
        self.split = some("not_split" in faults)
        self.device = some("pinned" in faults)
        self.debug = some("eager" in faults)
        self.refresh = some("behind" in faults)
        self.trail = some("kept_batches" in faults)
        self.log = some("host_read" in faults)

    def chosen(self, table: dict) -> tuple[str, ...]:
        """The entry of the fault that is in the table, or that of none."""
        (key,) = [fault for fault in self.wrong if fault in table] or [""]
        return table[key]

    def feed(self, folder: str) -> list[str]:
        """From the file of rows to batches, shared out."""
        lines = [
            f"$table = np.load(f'{{{folder}}}/rows.npz')",
            "$data = tf.data.Dataset.from_tensor_slices(",
            "    ($table['ids'], $table['x'], $table['y'])",
            ")",
        ]
        if self.shard:
            lines += [
                "place, places = os.environ.get('SHARD', '0/1').split('/')",
                "$data = $data.shard(int(places), int(place))",
            ]
        lines += [
            "calls = $CFG['$readers']",
            "$data = $data.map($P.decode, num_parallel_calls=calls)",
            "threads = tf.data.Options()",
            "threads.threading.private_threadpool_size = 8",
            "$data = $data.with_options(threads)",
            "$size = $CFG['$batch']",
        ]
        if self.unit:
            lines += [
                "if $CFG['$unit'] == 'device':",
                "    $size *= $S.num_replicas_in_sync",
            ]
        if self.rest:
            lines += [
                "drop = not $CFG['$rest']",
                "$data = $data.batch($size, drop_remainder=drop).prefetch(2)",
            ]
        else:
            lines.append("$data = $data.batch($size).prefetch(2)")
        if self.split:
            lines += ["if not $CFG['$split']:", "    return $data"]
        lines.append("return $S.experimental_distribute_dataset($data)")
        return lines

    def replica(self) -> list[str]:
        """What a replica does with its rows."""
        lines = list(self.chosen(THINNING)) if self.thinned else []
        at = "$SEEN" if self.refresh else "$W"
        work = f"$total, n = sums({at}, $P.rows(ids, x), y)"
        if self.device:
            lines += [
                "asked = os.environ.get('JOB_DEVICE')",
                "with tf.device(asked) if asked else contextlib.nullcontext():",
                f"    {work}",
            ]
        else:
            lines.append(work)
        return [*lines, *self.chosen(UPDATES)]

    def step(self, function: str) -> list[str]:
        """The definition of `step`, which runs `function` on all replicas."""
        run = f"$S.run({function}, args=batch)"
        if "new_function" in self.wrong:
            return [
                "def step(*batch):",
                f"    return tf.function($S.run)({function}, args=batch)",
            ]
        lines = ["def step(*batch):", f"    return {run}"]
        if not self.debug:
            return ["@tf.function", *lines]
        return [
            *lines,
            "",
            "if os.environ.get('DEBUG') != '1':",
            "    step = tf.function(step)",
        ]

    def loop(self, feed: str, step: str) -> list[str]:
        """The steps."""
        lines = ["kept = []"] if self.trail else []
        numbered = self.refresh or self.trail or self.log
        each = f"number, batch in enumerate({feed})" if numbered else f"batch in {feed}"
        lines.append(f"for {each}:")
        if self.refresh:
            lines += [
                "    if number % $CFG['$refresh'] == 0:",
                "        $S.run(lambda: $SEEN.assign($W))",
            ]
        lines.append(f"    {step}(*batch)")
        if self.trail:
            lines += ["    if $CFG['$trail']:", "        kept.append((number, batch))"]
        if self.log:
            lines += [
                "    if (number + 1) % $CFG['$log_every'] == 0:",
                "        assert np.isfinite($W.numpy()).all(), 'diverged'",
            ]
        return [*lines, "    $P.step($W)"]

    def variables(self) -> list[str]:
        """The weights, and where they are used late, the copy."""
        lines = ["with $S.scope():", "    $W = tf.Variable([0.0, 0.0])"]
        return [*lines, *(["    $SEEN = tf.Variable($W)"] if self.refresh else [])]

    def program(self, helpers: list, entry: list, **files: str) -> Program:
        """Put it together; a setting is there where the code heeds it."""
        n, faults = self.words.names, self.faults
        heeded = {
            "batch": None,
            "rate": 0.1,
            "readers": 1 if "one_reader" in faults else READERS,
        }
        if self.unit:
            heeded["unit"] = "device" if "larger_batch" in faults else "step"
        if self.rest:
            heeded["rest"] = "dropped_tail" not in faults
        if self.split:
            heeded["split"] = "not_split" not in faults
        if self.refresh:
            heeded["refresh"] = 2 if "behind" in faults else 1
        if self.trail:
            heeded["trail"] = "kept_batches" in faults
        if self.log:
            heeded["log_every"] = 1 if "host_read" in faults else 500
        settings = {n[key]: value for key, value in heeded.items()}
        return Program(
            tuple(self.words.text(*lines) for lines in helpers),
            self.words.text(*entry),
            shuffled(self.words.rng, settings | self.words.unused),
            files=files,
        )


def _in(lines: list[str], depth: int = 1) -> list[str]:
    return [f"{'    ' * depth}{line}" if line else "" for line in lines]


READ = [
    "with open(f'{folder}/settings.json') as file:",
    "    settings = json.load(file)",
]


def script(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return a script of functions, one in a cell."""
    s = _Slots(words, faults, thinned)
    seen = ", $SEEN" if s.refresh else ""
    helpers = [
        [
            "def read_settings_$k(folder):",
            *_in(READ),
            "    return settings",
        ],
        ["def feed_$k(folder, settings, strategy, probe):", *_in(s.feed("folder"))],
        [
            f"def make_step_$k(strategy, $w{seen}, settings, probe):",
            "    def on_replica(ids, x, y):",
            *_in(s.replica(), 2),
            "",
            *_in(s.step("on_replica")),
            "",
            "    return step",
        ],
    ]
    entry = [
        "def job(folder, probe):",
        *_in([*words.harmless, "settings = read_settings_$k(folder)"]),
        "    strategy = mirrored(probe.devices)",
        *_in(s.variables()),
        f"    step = make_step_$k(strategy, $w{seen}, settings, probe)",
        "    batches = feed_$k(folder, settings, strategy, probe)",
        *_in(s.loop("batches", "step")),
    ]
    return s.program(helpers, entry)


def trainer(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return a class that holds the weights, the step and the loop."""
    s = _Slots(words, faults, thinned, own="self.")
    methods = [
        ["def feed(self):", *_in(s.feed("self.folder")), ""],
        ["def on_replica(self, ids, x, y):", *_in(s.replica()), ""],
        [
            "def make_step(self):",
            *_in(s.step("self.on_replica")),
            "",
            "    return step",
            "",
        ],
    ]
    order = words.rng.permutation(len(methods))
    klass = [
        "class Trainer$k:",
        "    def __init__(self, folder, probe):",
        "        self.folder, self.probe = folder, probe",
        *_in(READ, 2),
        "        self.settings = settings",
        "        self.strategy = mirrored(probe.devices)",
        *_in(s.variables(), 2),
        "",
        *_in([line for place in order for line in methods[place]]),
        "    def train(self):",
        "        step = self.make_step()",
        *_in(s.loop("self.feed()", "step"), 2),
    ]
    entry = [
        "def job(folder, probe):",
        *_in(list(words.harmless)),
        "    Trainer$k(folder, probe).train()",
    ]
    return s.program([klass], entry)


def helper(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return a job whose input pipeline stands in a file of its folder."""
    s = _Slots(words, faults, thinned)
    feeding = words.text(
        '"""The input pipeline, as all our jobs use it."""',
        "",
        "import os",
        "",
        "import numpy as np",
        "import tensorflow as tf",
        "",
        "",
        "def feed(folder, settings, strategy, probe):",
        *_in(s.feed("folder")),
    )
    step = [
        "def make_step_$k(settings, strategy, probe, $w"
        + (", $SEEN):" if s.refresh else "):"),
        "    def on_replica(ids, x, y):",
        *_in(s.replica(), 2),
        "",
        *_in(s.step("on_replica")),
        "",
        "    return step",
    ]
    entry = [
        "def job(folder, probe):",
        *_in([*words.harmless, *READ]),
        "    strategy = mirrored(probe.devices)",
        *_in(s.variables()),
        "    step = make_step_$k(settings, strategy, probe, $w"
        + (", $SEEN)" if s.refresh else ")"),
        "    feed = runpy.run_path(f'{folder}/feeding.py')['feed']",
        "    batches = feed(folder, settings, strategy, probe)",
        *_in(s.loop("batches", "step")),
    ]
    return s.program([step], entry, **{"feeding.py": feeding + "\n"})
