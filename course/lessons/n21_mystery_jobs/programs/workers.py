"""Programs that train in worker processes of their own."""

from __future__ import annotations

from collections.abc import Collection

from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.programs.settings import heeded
from course.lessons.n21_mystery_jobs.programs.slots import READ, indented
from course.lessons.n21_mystery_jobs.programs.wording import Wording, shuffled

SHARES = {
    "": "ids, x, y = [part[me::workers] for part in batch]",
    "first_half": "ids, x, y = [part[: $size // workers] for part in batch]",
}
SKIP = ["if settings['$resume']:", "    $data = $data.skip(done)"]
WHOLE = "ids, x, y"  # a batch of which a worker uses all rows
# read while all count, it is the sum over workers: a collective call
COUNTS = [
    "with strategy.scope():",
    "    $seen = tf.Variable(",
    "        tf.zeros(3),",
    "        synchronization=tf.VariableSynchronization.ON_READ,",
    "        aggregation=tf.VariableAggregation.SUM,",
    "    )",
]
COUNT = "$seen.assign_add(tf.reduce_sum([tf.ones_like(y), y, y * y], axis=1))"
TELL = [
    "if number == settings['$told'] and (settings['$everybody'] or me == 0):",
    "    print('rows, sum of y, of y * y so far:', $seen.numpy())",
]


def _step(telling: bool) -> list[str]:
    given = "strategy, $w, $seen, settings" if telling else "strategy, $w, settings"
    return [
        f"def make_step_$k({given}):",
        "    def on_worker(x, y):",
        *indented([COUNT] if telling else [], 2),
        "        context = tf.distribute.get_replica_context()",
        "        $total, n = tf.zeros([2]), tf.zeros([])",
        "        for part in range(settings['$pieces']):",
        "            own = slice(part, None, settings['$pieces'])",
        "            more = list(sums($w, x[own], y[own]))",
        "            more = context.all_reduce('SUM', more)",
        "            $total, n = $total + more[0], n + more[1]",
        "        $w.assign_sub(settings['$rate'] * $total / n)",
        "",
        "    rows = tf.TensorSpec([None, 2], tf.float32)",
        "    values = tf.TensorSpec([None], tf.float32)",
        "",
        "    @tf.function(input_signature=[rows, values])",
        "    def step(x, y):",
        "        strategy.run(on_worker, args=(x, y))",
        "",
        "    return step",
    ]


def _weights(resumed: bool, name: str) -> list[str]:
    lines = [
        "def weights_$k(folder, settings, strategy):",
        "    with strategy.scope():",
    ]
    if resumed:
        return [
            *lines,
            "        $w, done = tf.Variable([0.0, 0.0]), tf.Variable(0)",
            f"    saved = tf.train.Checkpoint({name}=$w, done=done)",
            "    saved.restore(f'{folder}/saved').expect_partial()",
            "    return $w, int(done.numpy())",
        ]
    return [
        *lines,
        "        $w = tf.Variable([0.0, 0.0])",
        "    first = int(os.environ.get('SEED', '3'))",
        "    $w.assign(tf.random.stateless_normal([2], [first, 0]))",
        "    return $w, 0",
    ]


def _program(
    words: Wording,
    faults: Collection[str],
    resumed: bool,
    data: list[str],
    own: list[str],
    batch: str = "batch",
    more: tuple[str, ...] = (),
) -> Program:
    """Put together what both kinds share.

    data: the function that returns batches.
    own: lines that take from a `batch` the rows of a worker.
    more: settings that one kind has.
    """
    telling = words.telling or "read_alone" in faults
    each = f"{batch} in $data"
    if telling:
        taken = f"({batch})" if batch == WHOLE else batch
        each = f"number, {taken} in enumerate($data, start=1)"
    # a cluster is joined before anything of TensorFlow runs
    harmless = [line for line in words.harmless if not line.startswith("tf.")]
    entry = [
        "def job(folder, probe):",
        *indented(harmless),
        *indented(READ),
        "    strategy = tf.distribute.MultiWorkerMirroredStrategy()",
        "    me, workers = int(os.environ['RANK']), int(os.environ['WORLD'])",
        "    $w, done = weights_$k(folder, settings, strategy)",
        *indented(COUNTS if telling else []),
        f"    step = make_step_$k(strategy, $w, {'$seen, ' * telling}settings)",
        "    probe.start($w)",
        "    $data = batches_$k(folder, settings, me, workers)",
        *indented(SKIP if resumed else []),
        f"    for {each}:",
        *indented(own, 2),
        "        step(probe.rows(ids, x), y)",
        "        probe.step($w)",
        *indented(TELL if telling else [], 2),
    ]
    used = ["pieces", *(["resume"] if resumed else []), *more]
    used += ["told", "everybody"] * telling
    settings = heeded(words.names, faults, used)
    mended = words.mended and "other_name" in faults
    order = [data, _step(telling), _weights(resumed, "weights" if mended else "w")]
    return Program(
        tuple(words.text(*order[place]) for place in words.rng.permutation(3)),
        words.text(*entry),
        shuffled(words.rng, settings | words.unused),
    )


def workers(words: Wording, faults: Collection[str], resumed: bool) -> Program:
    """Return a job whose workers all read one file."""
    wrong = frozenset() if words.mended else frozenset(faults)
    divides = words.sometimes("whole_batch" in faults)
    data = [
        "def batches_$k(folder, settings, me, workers):",
        "    $table = np.load(f'{folder}/rows.npz')",
        "    $data = tf.data.Dataset.from_tensor_slices(",
        "        ($table['ids'], $table['x'], $table['y'])",
        "    )",
        "    $size = settings['$batch']",
    ]
    if "own_steps" in wrong:
        data.append("    return $data.shard(workers, me).batch($size // workers)")
        return _program(words, faults, resumed, data, [], WHOLE)
    data.append("    return $data.batch($size)")
    (key,) = [fault for fault in wrong if fault in SHARES] or [""]
    share = [SHARES[key]]
    more: tuple[str, ...] = ()
    if divides and not {"first_half", "own_steps"} & set(faults):
        share = [
            "ids, x, y = batch",
            "if settings['$share']:",
            "    ids, x, y = [part[me::workers] for part in batch]",
        ]
        more = ("share",)
    if key:
        share.insert(0, "$size = settings['$batch']")
    return _program(words, faults, resumed, data, share, more=more)


def worker_files(words: Wording, faults: Collection[str], resumed: bool) -> Program:
    """Return a job in which each worker reads a file of its own."""
    data = [
        "def batches_$k(folder, settings, me, workers):",
        "    own = os.environ.get('PART', str(me))",
        "    $table = np.load(f'{folder}/rows-{own}.npz')",
        "    $data = tf.data.Dataset.from_tensor_slices(",
        "        ($table['ids'], $table['x'], $table['y'])",
        "    )",
        "    return $data.batch(settings['$batch'] // workers)",
    ]
    return _program(words, faults, resumed, data, [], WHOLE)
