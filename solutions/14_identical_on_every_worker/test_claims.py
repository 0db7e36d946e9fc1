"""The evidence for what notebook 14 states, in its claims and in its prose."""

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.failures import StepFailed, WrongReturn
from course.lessons.n14_identical_on_every_worker import PREDICTION
from course.lessons.n14_identical_on_every_worker.data_service import read_from_service
from course.lessons.n14_identical_on_every_worker.playing import idle_knobs
from course.lessons.n14_identical_on_every_worker.playing import run as play
from course.lessons.n14_identical_on_every_worker.record_files import Shard
from course.lessons.n14_identical_on_every_worker.shared_files import (
    Way,
    nobody,
    part_first,
    train_from_files,
)
from course.lessons.n14_identical_on_every_worker.ways import observe_ways
from course.lessons.n14_identical_on_every_worker.worker_input import (
    Reading,
    read_by_hand,
)
from course.lessons.n14_identical_on_every_worker.worker_training import train_workers
from course.runs.cluster import run_workers
from course.runs.workloads import regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

ROWS = regression(24)
CELLS = PrintedCells(
    __file__,
    tf=tf,
    Shard=Shard,
    data=ROWS,
    run_workers=run_workers,
)


SHIPPED = CELLS.run("my_dataset-broken")["broken_dataset"]
RIGHT = CELLS.run("my_dataset-fix")["my_dataset"]


def shuffled_apart(context, rows, batch, seed):
    rows = rows.shuffle(len(rows))
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(batch))


@pytest.fixture(scope="module")
def shipped():
    return train_workers(SHIPPED, ROWS)


@pytest.fixture(scope="module")
def right():
    return train_workers(RIGHT, ROWS)


@pytest.fixture(scope="module")
def apart():
    return train_workers(shuffled_apart, ROWS)


@pytest.fixture(scope="module")
def policies():
    names = ("FILE", "DATA", "OFF", "AUTO")
    return dict(zip(names, train_from_files([Way(n) for n in names]), strict=True))


def reads(run, epoch=0):
    """How often each row was read in an epoch."""
    ids = [i for step in run.epochs()[epoch] for own in step for i in own]
    return np.bincount(ids, minlength=24)


def sizes(run):
    """How many rows each worker read in each step of the first epoch."""
    return [list(map(len, own)) for own in zip(*run.epochs()[0], strict=True)]


def nan_totals():
    cell = CELLS["nan"].split("for worker")[0]
    names = {"tf": tf}
    exec(compile(cell, "nan", "exec"), names)
    return run_workers(names["sum_over_workers"]).values()


def bad_file_ends():
    def count(path):
        return sum(1 for _ in tf.data.TFRecordDataset(path))

    with Shard((24,) * 48, "data", record=9, at=20).file() as path:
        return run_workers(count, path).ends


def told(capsys):
    """The lines that a cell printed."""
    return capsys.readouterr().out.splitlines()


def test_claim_004_01():
    assert str(nan_totals()) == "[[2.0, nan], [2.0, nan]]"
    first, second = bad_file_ends()
    assert first.error == second.error == "DataLossError"
    assert first.sentences == second.sentences
    assert "corrupted record at 372" in first.sentences[0]


def test_claim_004_06(shipped, right, apart):
    for run in (shipped, right, apart):
        assert (run.apart() == 0).all()
    assert shipped.off()[-1] > 0.05 and right.off().max() < 1e-5


def test_claim_004_03(shipped, right, apart):
    for step in shipped.recording.ids:
        assert step[0] == step[1]
    assert right.off().max() < 1e-5  # the same seed on both, and then a shard
    assert reads(apart).max() > 1 and reads(apart).min() == 0


def test_claim_000_18(shipped, policies):
    assert reads(shipped).tolist() == [2] * 24  # 48 reads
    assert shipped.lengths == (8, 8, 8)  # an epoch of one device has four
    for policy in ("AUTO", "DATA"):
        assert reads(policies[policy]).tolist() == [1] * 24
        assert all(map(sum, sizes(policies[policy])))  # both workers have some


def test_claim_004_07(policies):
    assert sizes(policies["OFF"]) == [[3] * 8] * 2
    assert policies["OFF"].recording.ids[0][0] == policies["OFF"].recording.ids[0][1]
    assert sizes(policies["DATA"]) == [[3] * 4] * 2
    assert sizes(policies["AUTO"]) == sizes(policies["FILE"])


def test_claim_000_11(policies):
    assert sizes(policies["FILE"]) == [[3] * 5 + [1], [3, 3, 2, 0, 0, 0]]


def test_which_rows_a_step_has_under_data_and_in_a_function():
    by_policy, by_function = (play(s, 2, 3, False) for s in ("DATA", part_first))
    assert by_policy.off().max() < 1e-5 < by_function.off().max()
    for run, equal in ((by_policy, True), (by_function, False)):
        assert sizes(run) == [[3] * 4] * 2 and (run.apart() == 0).all()
        steps = zip(run.epochs()[0], run.sequential[0], strict=True)
        same = [sorted(own[0] + own[1]) == sorted(one) for own, one in steps]
        assert any(same) == all(same) == equal


def test_in_no_way_do_the_workers_come_apart(policies):
    assert all((run.apart() == 0).all() for run in policies.values())


def test_claim_000_12(apart):
    assert sum(reads(apart)) == 24 and (reads(apart) == 2).sum() > 3
    assert (reads(apart) == 0).sum() == (reads(apart) == 2).sum()


def test_claim_004_08():
    def draws():
        def drawn(seed):
            data = tf.data.Dataset.range(4)
            return [
                float(x) for x in data.map(lambda _: tf.random.uniform([], seed=seed))
            ]

        return drawn(3), drawn(None)

    (seeded, unseeded), (also, others) = run_workers(draws).values()
    assert seeded == also and unseeded != others


def test_claim_004_19(capsys):
    CELLS.run("bad-file")
    printed = told(capsys)
    assert [line.split(": ")[0] for line in printed[:2]] == ["worker 0", "worker 1"]
    assert printed[0][9:] == printed[1][9:] and "at 372" in printed[0]
    assert printed[2] == "with ignore_errors: 9 of 48 records"
    assert printed[3] == "cut, no error at all: 20 of 48 records"


def test_claim_004_21():
    """The rows are drawn in each call, and the batch knows nothing of replicas."""

    def create_dataset(rank):
        data = tf.data.Dataset.from_tensor_slices(tf.random.normal([1000, 10]))
        return data.shard(2, rank).batch(32 // 2), data

    (first, all_first), (second, all_second) = map(create_dataset, (0, 1))
    assert [next(iter(d)).shape for d in (first, second)] == [(16, 10)] * 2
    rows = [np.array(list(d.as_numpy_iterator())) for d in (all_first, all_second)]
    assert not np.array_equal(*rows)
    context = tf.distribute.InputContext(2, 0, num_replicas_in_sync=4)
    assert context.get_per_replica_batch_size(32) == 8


@pytest.mark.parametrize("index", [2, -1])
def test_claim_004_24(index):
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.data.Dataset.range(4).shard(2, index)


def test_claim_004_02():
    """One epoch by SGD, in batches of 8, over two kinds of rows that overlap."""
    rng = np.random.default_rng(2)
    y = np.repeat([0.0, 1.0], 200).astype(np.float32)
    x = (rng.normal(size=(400, 2)) + 3.0 * y[:, None] + 0.5).astype(np.float32)

    def right_after_an_epoch(data):
        w, b = tf.Variable(tf.zeros(2)), tf.Variable(0.0)
        for batch, labels in data.batch(8):
            with tf.GradientTape() as tape:
                logits = tf.linalg.matvec(batch, w) + b
                loss = tf.nn.sigmoid_cross_entropy_with_logits(labels, logits)
                loss = tf.reduce_mean(loss)
            for each, gradient in zip((w, b), tape.gradient(loss, (w, b)), strict=True):
                each.assign_sub(0.3 * gradient)
        said = (tf.linalg.matvec(x, w) + b).numpy() > 0
        return (said == y).mean()

    data = tf.data.Dataset.from_tensor_slices((x, y))
    sorted_, mixed = map(right_after_an_epoch, (data, data.shuffle(400, seed=1)))
    assert abs(sorted_ - 0.78) < 0.03 and mixed > 0.92


def test_claim_004_36(shipped, right):
    """Shards mend what came of no shards; a target that is not finite stays."""
    assert shipped.off()[-1] > 0.05 and right.off().max() < 1e-5
    bad = regression(24)
    bad.y[13] = np.nan
    run = train_workers(RIGHT, bad)
    assert np.isnan(run.recording.copies[-1]).all()
    where = [13 in own for own in run.recording.ids[first_nan(run) - 1]]
    assert sum(where) == 1  # one worker had the row, both have the NaN


def first_nan(run):
    """The first step after which a weight is not finite, on both workers at once."""
    nan = np.isnan(run.recording.copies).any(axis=2)
    assert (nan[:, 0] == nan[:, 1]).all()
    return int(nan[:, 0].argmax())


def test_what_was_observed_is_what_a_prediction_is_held_against():
    assert observe_ways() == PREDICTION.rows


@pytest.mark.parametrize("policy", ["FILE", "AUTO"])
def test_one_file_is_an_error_of_the_policies_that_share_files(policy):
    with pytest.raises(ValueError, match="the dataset only has 1 file"):
        play(policy, 2, 1, False)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_rows_of_other_numbers_of_workers(workers):
    """One worker is one device; three that share nothing read each row three times."""
    made = play(nobody, workers, 2, False)
    assert reads(made).tolist() == [workers] * 24 and (made.apart() == 0).all()
    assert (made.off().max() < 1e-5) == (workers == 1)


def test_knobs_that_change_nothing():
    assert idle_knobs("FILE", 2, files=3, own_seeds=False) == {}
    assert [*idle_knobs(nobody, 1, files=3, own_seeds=False)] == ["files", "own_seeds"]
    for shared in (RIGHT, "DATA"):
        assert [*idle_knobs(shared, 2, files=3, own_seeds=False)] == ["files"]
        one, three = (play(shared, 2, files, False).epochs() for files in (1, 3))
        assert one == three
    same, own = (play(nobody, 1, 3, own_seeds).epochs() for own_seeds in (False, True))
    assert same == own


def test_with_its_function_the_learner_sees_one_device():
    made = play(RIGHT, 3, 3, False)
    assert made.off().max() < 1e-5 and made.lengths == (4, 4, 4)
    wrong = play(RIGHT, 2, 3, True)  # each its own order: the shard overlaps
    assert reads(wrong).max() > 1 and reads(wrong).min() == 0


def test_keras_fit_fails_here():
    def fit():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        with strategy.scope():
            model = tf.keras.Sequential(
                [tf.keras.Input((2,)), tf.keras.layers.Dense(1)]
            )
            model.compile("sgd", loss="mse")
        model.fit(tf.ones((16, 2)), tf.ones((16, 1)), batch_size=8, verbose=0)

    ends = run_workers(fit, quiet=8.0).ends
    assert "ValueError" in [end.error for end in ends]


def test_a_learners_mistakes_have_words():
    def list_of(context, rows, batch, seed):
        return [1, 2]

    def single(context, rows, batch, seed):
        return rows

    def twice(context, rows, batch, seed):
        return rows.batch(2).batch(2)

    def ids_only(context, rows, batch, seed):
        return rows.map(lambda i, x, y: i).batch(4)

    reading = Reading(ROWS, 8, 5)
    for make, words in (
        (list_of, "Return a tf.data.Dataset"),
        (single, "single rows"),
        (twice, "batched again"),
        (ids_only, "whose elements are TensorSpec"),
    ):
        with pytest.raises(WrongReturn, match=words):
            read_by_hand(make, reading)
    with pytest.raises(StepFailed, match=r"On worker 0: .*single rows"):
        train_workers(single, ROWS)


def test_workers_with_replicas_take_turns():
    """By hand: two workers of two replicas read the batches of one device."""
    reading = Reading(regression(45), 8, 5, workers=2, replicas=2, epochs=1)
    ((*steps,),) = read_by_hand(RIGHT, reading)
    assert len(steps) == 6
    assert [[len(ids) for ids in worker] for worker in steps[0]] == [[2, 2], [2, 2]]
    assert [[len(ids) for ids in worker] for worker in steps[-1]] == [[2, 1], [2, 0]]


def test_the_cells_as_printed(shipped, right, capsys):
    CELLS.run("probe", broken=shipped, mine=right)
    printed = told(capsys)
    assert printed[0] == printed[2] == "24 of 24 rows were read, 0 never;"
    assert printed[1].startswith("24 were read more than once: [0, 1, 2,")
    assert printed[3] == "0 were read more than once: []"
    assert "course" not in CELLS["probe"]


def test_a_service_hands_each_row_out_once_to_those_who_name_one_job(capsys):
    CELLS.run("service", read_from_service=read_from_service)
    every, alone, shared = capsys.readouterr().out.splitlines()
    assert every.endswith("96 and 96 reads, 48 different rows")
    assert alone.endswith("48 and 48 reads, 48 different rows")
    one, other = map(int, shared.split(": ")[1].split(" reads")[0].split(" and "))
    assert one + other == 48 and shared.endswith("48 different rows")
