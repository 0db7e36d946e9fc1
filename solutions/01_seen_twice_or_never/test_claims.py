"""The evidence for notebook 01: its claims, its prose, and its probe."""

import ast
import inspect
import itertools
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from autograder.source import read_source
from course.lessons.n01_seen_twice_or_never import PREDICTION, pieces
from course.lessons.n01_seen_twice_or_never.epochs import record_epoch
from course.lessons.n01_seen_twice_or_never.locate import Grid, first_faults
from course.lessons.n01_seen_twice_or_never.pieces import pull_inside
from course.lessons.n01_seen_twice_or_never.wrong_first_faults import replica_0_only
from course.runs.devices import mirrored
from course.runs.replicas import train_on_replicas
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, regression

pytestmark = pytest.mark.prove

SOURCE = Path(__file__).parent / f"{Path(__file__).parent.name}.py"


def batched(data, strategy, batch):
    return data.batch(batch)


def share(data, strategy, batch):
    return data.batch(2)


def distributed(data, strategy, batch):
    return strategy.experimental_distribute_dataset(data)


def from_function(data, strategy, batch):
    return strategy.distribute_datasets_from_function(lambda context: data)


@pytest.fixture
def ids(devices):
    """The rows of 10, in batches of 4, that two replicas are given by some stages."""
    return lambda *stages: record_epoch(stages, 10, 4, devices[:2]).ids


def own(strategy, value):
    return [
        part.numpy().tolist() for part in strategy.experimental_local_results(value)
    ]


def rows_of(shards):
    return sorted(int(row) for shard in shards for row in shard)


SPLIT = (((0, 1), (2, 3)), ((4, 5), (6, 7)), ((8,), (9,)))


def test_claim_000_10(devices, ids):
    """One pipeline: its source is read once, for all; each of its batches is split."""
    begun = []

    def source():
        begun.append(1)
        yield from range(10)

    data = tf.data.Dataset.from_generator(source, output_signature=tf.TensorSpec([]))
    strategy = mirrored(devices)
    shared = strategy.experimental_distribute_dataset(data.batch(5))
    given = [row for batch in shared for part in own(strategy, batch) for row in part]
    assert begun == [1] and given == list(range(10))
    assert ids(batched, distributed) == SPLIT


@pytest.mark.parametrize(("replicas", "first"), [(1, [[0, 1]]), (2, [[0, 1], [2, 3]])])
def test_claim_000_16(devices, replicas, first):
    """The sample runs, with one replica and with two."""
    strategy = mirrored(devices[:replicas])
    dataset = tf.data.Dataset.from_tensor_slices(list(range(10)))
    with strategy.scope():
        iterator = iter(dataset.batch(2).repeat())
        steps = [own(strategy, strategy.run(lambda: next(iterator))) for _ in range(4)]
    assert steps[0] == first
    read = [row for step in steps for batch in step for row in batch]
    assert read == [k % 10 for k in range(8 * replicas)]


def test_claim_000_17(ids):
    """Whole batches; the last one finds no partner, and its rows are lost."""
    assert ids(batched, pull_inside) == (((0, 1, 2, 3), (4, 5, 6, 7)),)


def test_claim_000_22(devices, ids):
    """A variable made in the scope is mirrored; a plain dataset is not shared out."""
    strategy = mirrored(devices[:2])
    with strategy.scope():
        v = tf.Variable(1.0)
    assert len(strategy.experimental_local_results(v)) == 2
    assert ids(batched)[0] == ((0, 1, 2, 3), (0, 1, 2, 3))


def test_claim_000_23(ids):
    """Distributed: disjoint. By shard: most is lost, or shards overlap."""
    assert ids(batched, distributed) == SPLIT

    def by_shard(data, strategy, batch):
        return strategy.distribute_datasets_from_function(
            lambda c: data.shard(c.num_replicas_in_sync, c.input_pipeline_id).batch(2)
        )

    assert ids(by_shard) == (((0, 2), (4, 6)), ((8,), ()))
    mixed = tf.data.Dataset.range(40).shuffle(40)
    assert rows_of(mixed.shard(2, i) for i in range(2)) != list(range(40))


def test_claim_001_10(ids):
    """run cuts nothing; distribute does."""
    assert all(first == second for first, second in ids(batched))
    assert ids(batched, distributed) == SPLIT


def test_claim_001_15(devices):
    """Listing row numbers shows what is repeated or missing."""
    times = [
        record_epoch(stages, 10, 4, devices[:2]).times_seen().sum(axis=0).tolist()
        for stages in ([batched], [batched, pull_inside], [batched, distributed])
    ]
    assert times == [[2] * 10, [1] * 8 + [0] * 2, [1] * 10]


def listed(dataset):
    return [dataset.batch(32)] * 2


def test_claim_001_28():
    """The sample's list of one dataset: 100 rows are read 200 times."""
    read = [len(b) for data in listed(tf.data.Dataset.range(100)) for b in data]
    assert sum(read) == 200


def test_claim_001_29():
    """The same rows on both, with an unseeded shuffle in another order."""
    data = tf.data.Dataset.range(100).shuffle(100)
    first, second = ([int(r) for b in d for r in b] for d in listed(data))
    assert first != second
    assert sorted(first) == sorted(second) == list(range(100))


def trained_on_equal_batches(operation, devices):
    """Two replicas, each given every batch: weights after step 1, and after 10."""
    rows = regression(24)
    strategy = mirrored(devices[:2])
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        context = tf.distribute.get_replica_context()
        gradient = context.all_reduce(operation, tape.gradient(loss, w))
        w.assign_sub(LEARNING_RATE * gradient)

    run = tf.function(lambda x, y: strategy.run(step, args=(x, y)))
    data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y)).batch(8)
    first = None
    for x, y in data.repeat().take(10):
        run(x, y)
        first = w.numpy() if first is None else first
    copies = np.array(own(strategy, w), np.float32)
    return first, copies, train_sequentially(rows, 8, 10).copies[:, 0]


def test_claim_001_30(devices):
    """The mean of two equal gradients: exactly one device's weights."""
    _, copies, truth = trained_on_equal_batches("MEAN", devices)
    assert (copies == truth[-1]).all()


def test_claim_001_31(devices):
    """Nothing random: the sum is twice the step, every time."""
    runs = [trained_on_equal_batches("SUM", devices) for _ in range(2)]
    assert (runs[0][1] == runs[1][1]).all()
    first, _, truth = runs[0]
    assert np.abs(first - 2 * truth[1]).max() < 1e-6


def test_claim_002_27(ids):
    """Each batch is split among the replicas."""
    assert ids(batched, distributed) == SPLIT


def test_claim_003_17(devices, ids):
    """Rows come twice, without a word; replicas do not lose updates."""
    assert ids(batched)[0] == ((0, 1, 2, 3), (0, 1, 2, 3))
    strategy = mirrored(devices)
    v = tf.Variable(0.0)
    run = tf.function(lambda: strategy.run(lambda: v.assign(v + 1.0)))
    for _ in range(100):
        run()
    assert float(v) == 400.0


def test_claim_003_23(devices):
    """The function gets a context."""
    with pytest.raises(AttributeError, match=r"'InputContext' .* 'batch'"):
        mirrored(devices[:2]).distribute_datasets_from_function(lambda d: d.batch(4))


def test_claim_003_25(devices, ids):
    """Called once for four replicas, and nothing is split."""
    contexts = []

    def make(context):
        contexts.append(context)
        return tf.data.Dataset.range(10).batch(4)

    mirrored(devices).distribute_datasets_from_function(make)
    assert [c.num_input_pipelines for c in contexts] == [1]
    assert [c.input_pipeline_id for c in contexts] == [0]
    assert ids(batched, from_function) == (
        ((0, 1, 2, 3), (4, 5, 6, 7)),
        ((8, 9), ()),
    )


def test_what_the_five_pipelines_give(ids):
    """Notebook 01, Five pipelines: what each does with 10 rows in batches of 4."""
    given = ids(
        lambda data, s, b: data.shard(2, index=0),
        share,
        from_function,
    )
    assert given == (((0, 2), (4, 6)), ((8,), ()))

    assert all(first == second for first, second in ids(batched))
    assert ids(batched, pull_inside) == (((0, 1, 2, 3), (4, 5, 6, 7)),)
    for stages, steps in (((batched, from_function), 2), ((share, distributed), 5)):
        given = ids(*stages)
        assert len(given) == steps
        assert rows_of(shard for step in given for shard in step) == list(range(10))


def test_the_table_of_pieces_is_their_code():
    """Notebook 01, The pieces: each row is what the piece returns."""
    (text,) = [c.text for c in read_source(SOURCE).cells if "### The pieces" in c.text]
    table = dict(re.findall(r"^\W*`(\w+)` \| .*?`(.*)` \|$", text, re.M))
    assert len(table) == 8
    for name, code in table.items():
        source = inspect.getsource(getattr(pieces, name))
        assert code in source
        assert name == "pull_inside" or source.endswith(f"return {code}\n")


def test_what_the_prediction_asks(devices, capsys):
    """Notebook 01, Predict: rows 0, 2, ... once each; the odd ones never come."""
    (cell,) = [cell.text for cell in read_source(SOURCE).cells if cell.id == "loop"]
    namespace = {"tf": tf, "mirrored": mirrored, "devices": devices}
    exec(cell, namespace)
    namespace["one_epoch"]()
    steps = [ast.literal_eval(line) for line in capsys.readouterr().out.splitlines()]
    assert steps == [[[0, 2], [4, 6]], [[8, 10], [12, 14]]]
    assert PREDICTION.options[PREDICTION.answer].text.startswith("The even rows, each")


def test_an_epoch_that_is_shorter_than_the_data(devices, capsys):
    """Notebook 01, at its end: the loop has nothing left; fit says why it stops."""
    cells = read_source(SOURCE).cells
    (cell,) = [cell.text for cell in cells if cell.id == "short-epochs"]
    names = {"tf": tf, "mirrored": mirrored, "devices": devices}
    exec(cell, {**names, "itertools": itertools, "warnings": warnings})
    loop, fit = capsys.readouterr().out.splitlines()
    assert loop == "loop: [2, 1, 0]"
    assert fit == "fit: [0, 1, 0, 0, 1] Your input ran out of data"


def test_the_recording_worked_by_hand():
    """Notebook 01, A monitor: (8, 7) is right, and the monitor says otherwise."""
    source = read_source(SOURCE)
    (cell,) = [cell.text for cell in source.cells if cell.id == "worked"]
    namespace = {}
    exec(cell.splitlines()[0], namespace)
    grid = Grid("worked", namespace["worked"], 10)
    assert first_faults(grid) == (8, 7)
    assert replica_0_only(grid.steps, grid.rows) == (5, 0)


def test_shares_in_turn_are_right_too(devices):
    """Notebook 01's solution: per-replica batches through from_function."""
    stages = [lambda d, s, b: d.batch(b // s.num_replicas_in_sync), from_function]
    epoch = record_epoch(stages, 22, 8, devices)
    alone = record_epoch([batched], 22, 8, devices[:1])
    assert (epoch.times_seen() == alone.times_seen()).all()


def epochs_of(shards):
    return [[[int(r) for r in shard] for shard in shards] for _ in range(3)]


def disjoint(shards, rows=40):
    return [rows_of(epoch) == list(range(rows)) for epoch in epochs_of(shards)]


def test_when_shuffled_shards_overlap():
    """Notebook 01, Further 2: one shuffle for all, seeded or not, is not enough."""
    data = tf.data.Dataset.range(40)
    for seed in (None, 1):
        mixed = data.shuffle(40, seed=seed)
        assert disjoint([mixed.shard(2, i) for i in range(2)]) == [False] * 3
    kept = data.shuffle(40, reshuffle_each_iteration=False)
    shards = [kept.shard(2, i) for i in range(2)]
    first, second, _ = epochs_of(shards)
    assert disjoint(shards) == [True] * 3 and first == second
    each = [data.shuffle(40, seed=1).shard(2, i) for i in range(2)]
    assert disjoint(each) == [True] * 3
    list(each[0])  # one shard is iterated once more than the other
    assert disjoint(each) == [False] * 3


def test_one_shuffled_dataset_is_distributed_once(devices):
    """Notebook 01, Further 2: shuffle, batch, then distribute ONE dataset."""
    stages = [lambda d, s, b: d.shuffle(40), batched, distributed]
    epoch = record_epoch(stages, 40, 8, devices)
    assert epoch.times_seen().sum(axis=0).tolist() == [1] * 40


def rows_that_fit_gives(devices, dataset, make=None):
    """Train a Keras model for one epoch; return the rows of each replica's steps."""
    seen = []

    def watch(ids):
        seen.append(ids.tolist())
        return np.float32(0.0)

    class Watched(tf.keras.Model):
        def train_step(self, data):
            return {"loss": tf.numpy_function(watch, [data], tf.float32)}

        def call(self, x):
            return x

    strategy = mirrored(devices[:2])
    with strategy.scope():
        model = Watched()
        model.compile()
    model.fit(make(strategy) if make else dataset, shuffle=False, verbose=0)
    return seen


def test_fit_shares_a_plain_dataset_out(devices):
    """Notebook 01: would model.fit have saved you? Yes, for a plain dataset."""
    seen = rows_that_fit_gives(devices, tf.data.Dataset.range(10).batch(4))
    assert rows_of(seen) == list(range(10))
    assert max(map(len, seen)) == 2


def test_fit_takes_a_global_batch_from_a_function_as_it_is(devices):
    """Notebook 01: not where each replica takes global batches."""

    def make(strategy):
        data = tf.data.Dataset.range(8).batch(4)
        return strategy.distribute_datasets_from_function(lambda context: data)

    seen = rows_that_fit_gives(devices, None, make)
    assert sorted(seen) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_the_probe_for_work_counts_rows(devices, capsys):
    """Notebook 01's probe, as printed, in a script that never saw our package."""
    cells = read_source(SOURCE).cells
    (probe,) = [cell.text for cell in cells if cell.id == "probe"]
    definition = probe.split("\n\nrow_report(")[0]
    assert "course" not in definition and "mirrored" not in definition
    assert len([line for line in definition.splitlines() if line]) <= 15
    namespace = {"tf": tf}
    exec(definition, namespace)
    report, strategy = namespace["row_report"], mirrored(devices[:2])

    def printed(*args, **kwargs):
        report(strategy, *args, **kwargs)
        return capsys.readouterr().out

    data = tf.data.Dataset.range(10)
    plain = printed(data.batch(4), 10)
    assert "more than once: 10 of 10, first [0 1 2 3 4]\nnever: 0 of 10," in plain
    share = data.shard(2, 0).batch(2)
    lost = printed(strategy.distribute_datasets_from_function(lambda c: share), 10)
    assert "more than once: 0 of 10, first []\n" in lost
    assert "never: 5 of 10, first [1 3 5 7 9]\nlargest share: 2" in lost
    # as at work: a column of numbers beside the features, an endless dataset
    rows = regression(22)
    data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y, rows.ids)).batch(8)
    whole = strategy.experimental_distribute_dataset(data.repeat())
    right = printed(whole, 22, numbers=lambda batch: batch[-1], steps=3)
    assert "more than once: 0 of 22, first []\nnever: 0 of 22, first []" in right
    assert "largest share: 4" in right


def test_a_replica_trained_on_its_share_equals_one_device(devices):
    """Notebook 01's subject in training: the shares are the sequential batch."""

    def step(w, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", tape.gradient(loss, w)))

    rows = regression(24)
    run = train_on_replicas(step, rows, 8, 3, devices[:2])
    assert run.gaps(train_sequentially(rows, 8, 3)).max() < 1e-5
