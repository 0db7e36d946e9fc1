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


def _step() -> list[str]:
    return [
        "def make_step_$k(strategy, $w, settings):",
        "    def on_worker(x, y):",
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
    loop: list[str],
    more: tuple[str, ...] = (),
) -> Program:
    """Put together what both kinds share; `more` are settings that one has."""
    # a cluster is joined before anything of TensorFlow runs
    harmless = [line for line in words.harmless if not line.startswith("tf.")]
    entry = [
        "def job(folder, probe):",
        *indented(harmless),
        *indented(READ),
        "    strategy = tf.distribute.MultiWorkerMirroredStrategy()",
        "    me, workers = int(os.environ['RANK']), int(os.environ['WORLD'])",
        "    $w, done = weights_$k(folder, settings, strategy)",
        "    step = make_step_$k(strategy, $w, settings)",
        "    probe.start($w)",
        "    $data = batches_$k(folder, settings, me, workers)",
        *indented(loop),
    ]
    used = ["pieces", *(["resume"] if resumed else []), *more]
    settings = heeded(words.names, faults, used)
    mended = words.mended and "other_name" in faults
    order = [data, _step(), _weights(resumed, "weights" if mended else "w")]
    return Program(
        tuple(words.text(*order[place]) for place in words.rng.permutation(3)),
        words.text(*entry),
        shuffled(words.rng, settings | words.unused),
    )


def _skip(resumed: bool) -> list[str]:
    if not resumed:
        return []
    return ["if settings['$resume']:", "    $data = $data.skip(done)"]


def _own_batches(resumed: bool) -> list[str]:
    """The loop over batches of which a worker uses all rows."""
    return [
        *_skip(resumed),
        "for ids, x, y in $data:",
        "    step(probe.rows(ids, x), y)",
        "    probe.step($w)",
    ]


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
        return _program(words, faults, resumed, data, _own_batches(resumed))
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
    loop = [
        *_skip(resumed),
        "for batch in $data:",
        *indented(share),
        "    step(probe.rows(ids, x), y)",
        "    probe.step($w)",
    ]
    return _program(words, faults, resumed, data, loop, more)


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
    return _program(words, faults, resumed, data, _own_batches(resumed))
