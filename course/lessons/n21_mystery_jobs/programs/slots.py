"""The parts of programs on replicas: what a fault needs is there at random, too."""

from __future__ import annotations

from collections.abc import Collection

from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.programs.settings import heeded
from course.lessons.n21_mystery_jobs.programs.wording import Wording, shuffled

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
    "clipped_parts": (
        CONTEXT,
        "$total = tf.clip_by_norm($total, $CFG['$most'])",
        "$total, n = context.all_reduce('SUM', [$total, n])",
        CHANGE,
    ),
    "fixed_size": (
        CONTEXT,
        "$total = context.all_reduce('SUM', $total)",
        "$W.assign_sub($CFG['$rate'] * $total / $CFG['$batch'])",
    ),
}


CLIPPED = (
    CONTEXT,
    "$total, n = context.all_reduce('SUM', [$total, n])",
    "$total = tf.clip_by_norm($total / n, $CFG['$most'])",
    "$W.assign_sub($CFG['$rate'] * $total)",
)
# with these a limit that one device never meets is never met either
HOST_SIDE = frozenset(
    ("pinned", "one_reader", "eager", "new_function", "host_read", "kept_batches")
)


class Slots:
    """The lines of a job's parts, with names to be filled in."""

    def __init__(
        self,
        words: Wording,
        faults: Collection[str],
        thinned: bool,
        *,
        own: str = "",
        keras: bool = False,
        split: bool = False,
    ) -> None:
        """Draw which parts there are.

        Args:
            words: the names.
            faults: codes of `n21_mystery_jobs.faults`.
            thinned: whether the job leaves rows out.
            own: what stands before the names of a class's attributes: "self.", or "".
            keras: whether the loop is Keras' own, which can do less.
            split: whether a model's parts, and not its rows, are on several devices.
        """
        self.words, self.faults, self.thinned = words, faults, thinned
        self.wrong = frozenset() if words.mended else faults
        n = words.names
        n |= {"CFG": f"{own}settings", "W": f"{own}{n['w']}", "S": f"{own}strategy"}
        n |= {"P": f"{own}probe", "SEEN": f"{own}seen"}
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
        if keras:
            self.rest = self.split = self.refresh = self.trail = False
        if split:
            self.shard = self.unit = self.split = self.device = self.refresh = False
        self.stages = split
        self.clip = not (keras or split) and (
            "clipped_parts" in faults or (words.clipped and set(faults) <= HOST_SIDE)
        )

    def chosen(self, table: dict) -> tuple[str, ...]:
        """The entry of the fault that is in the table, or that of none."""
        (key,) = [fault for fault in self.wrong if fault in table] or [""]
        return table[key]

    def batches(self, folder: str) -> list[str]:
        """From the file of rows to batches."""
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
            drop = "drop = not $CFG['$rest']"
            return [*lines, drop, "$data = $data.batch($size, drop_remainder=drop)"]
        return [*lines, "$data = $data.batch($size)"]

    def feed(self, folder: str) -> list[str]:
        """From the file of rows to batches, shared out."""
        lines = [*self.batches(folder), "$data = $data.prefetch(2)"]
        if self.split:
            lines += ["if not $CFG['$split']:", "    return $data"]
        return [*lines, "return $S.experimental_distribute_dataset($data)"]

    def on_device(self, work: list[str]) -> list[str]:
        """The lines of some work, on the device that the environment asks for."""
        if not self.device:
            return work
        return [
            "asked = os.environ.get('JOB_DEVICE')",
            "with tf.device(asked) if asked else contextlib.nullcontext():",
            *indented(work),
        ]

    def guard(self, settings: str, weights: str) -> list[str]:
        """A check of the weights after some steps."""
        if not self.log:
            return []
        return [
            f"if (number + 1) % {settings}['$log_every'] == 0:",
            f"    assert np.isfinite({weights}.numpy()).all(), 'diverged'",
        ]

    def replica(self) -> list[str]:
        """What a replica does with its rows."""
        lines = list(self.chosen(THINNING)) if self.thinned else []
        at = "$SEEN" if self.refresh else "$W"
        lines += self.on_device([f"$total, n = sums({at}, $P.rows(ids, x), y)"])
        update = self.chosen(UPDATES)
        return [*lines, *(CLIPPED if self.clip and update == UPDATES[""] else update)]

    def step(self, function: str) -> list[str]:
        """The definition of `step`, which runs `function` on all replicas."""
        return self.step_of(
            f"$S.run({function}, args=batch)",
            f"tf.function($S.run)({function}, args=batch)",
        )

    def step_of(self, run: str, anew: str) -> list[str]:
        """The definition of `step(*batch)`.

        run: what it does; anew: the same as a new `tf.function`, each time.
        """
        if "new_function" in self.wrong:
            return ["def step(*batch):", f"    return {anew}"]
        lines = ["def step(*batch):", f"    return {run}"]
        if not self.debug:
            return ["@tf.function", *lines]
        return [
            *lines,
            "",
            "if os.environ.get('DEBUG') != '1':",
            "    step = tf.function(step)",
        ]

    def make_step(self, arguments: str) -> list[str]:
        """A function that returns the step."""
        return [
            f"def make_step_$k({arguments}):",
            "    def on_replica(ids, x, y):",
            *indented(self.replica(), 2),
            "",
            *indented(self.step("on_replica")),
            "",
            "    return step",
        ]

    def loop(
        self, feed: str, step: str, watched: str = "$W", weights: str = "$W"
    ) -> list[str]:
        """The steps; the guard looks at `watched`, the probe at all weights."""
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
        lines += indented(self.guard("$CFG", watched))
        return [*lines, f"    $P.step({weights})"]

    def variables(self) -> list[str]:
        """The weights, and where they are used late, the copy."""
        lines = ["with $S.scope():", "    $W = tf.Variable([0.0, 0.0])"]
        return [*lines, *(["    $SEEN = tf.Variable($W)"] if self.refresh else [])]

    def program(self, helpers: list, entry: list, **files: str) -> Program:
        """Put it together; a setting is there where the code heeds it."""
        parts = ("unit", "rest", "split", "refresh", "trail", "log_every")
        there = (self.unit, self.rest, self.split, self.refresh, self.trail, self.log)
        used = [
            "readers",
            *(key for key, is_there in zip(parts, there, strict=True) if is_there),
            *(["micro"] if self.stages else []),
            *(["most"] if self.clip else []),
        ]
        settings = heeded(self.words.names, self.faults, used)
        return Program(
            tuple(self.words.text(*lines) for lines in helpers),
            self.words.text(*entry),
            shuffled(self.words.rng, settings | self.words.unused),
            files=files,
        )


def indented(lines: list[str], depth: int = 1) -> list[str]:
    """Return the lines, so many levels deeper."""
    return [f"{'    ' * depth}{line}" if line else "" for line in lines]


READ = [
    "with open(f'{folder}/settings.json') as file:",
    "    settings = json.load(file)",
]
