"""The evidence for what notebook 19 states, in its claims and in its prose."""

import gc
import logging
import os
import shutil
import tempfile
import warnings

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.lessons.n19_restored_but_wrong import (
    PREDICTION,
    observe_programs,
    playing,
    restored_by,
    what_is_joined,
)
from course.lessons.n19_restored_but_wrong.checkpoint_files import (
    data_file,
    index_file,
    read,
    turn_a_bit,
    values_of,
    write,
)
from course.lessons.n19_restored_but_wrong.programs import EXCHANGED, Program
from course.runs.cluster import run_workers
from course.runs.sequential import train_sequentially
from course.runs.worker_steps import step_over_workers
from course.runs.workloads import regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

ROWS = regression(22)
CELLS = PrintedCells(
    __file__,
    tf=tf,
    np=np,
    shutil=shutil,
    run_workers=run_workers,
    step_over_workers=step_over_workers,
    rows=ROWS,
)


SHIPPED = CELLS.run("my_restore-broken")["broken_restore"]
RIGHT = CELLS.run("read", "my_restore-fix")["my_restore"]


def begin(name):
    """The variables of a program whose weights have this name."""
    return Program(name).variables()


@pytest.fixture
def trained():
    return train_sequentially(ROWS, 22, 40).copies[-1, 0].astype(np.float32)


@pytest.fixture
def saved(trained):
    """What the notebook's old program saves."""
    path = train_sequentially(ROWS, 22, 40).copies[:, 0].astype(np.float32)
    return {"w": trained, "mean": path.mean(axis=0), "step": np.array(40, np.int32)}


@pytest.fixture
def folder(tmp_path, saved):
    """A folder with the notebook's checkpoint."""
    write(tmp_path, saved)
    return str(tmp_path)


def newest(folder):
    return tf.train.latest_checkpoint(str(folder))


def test_what_was_observed_is_what_a_prediction_is_held_against(folder):
    assert observe_programs(SHIPPED, folder) == PREDICTION.rows


def test_another_name_is_silent_and_the_loss_is_untrained(folder):
    run = restored_by(SHIPPED, folder, begin("weights"), ROWS)
    assert run.error == ""
    assert run.restored("step") and run.after["step"] == 40
    assert run.after["weights"].tolist() == [0.0, 0.0]
    assert run.losses["after"] == run.losses["before"] > 2 * run.losses["saved"]


def played(saved, monkeypatch):
    """Return the instrument's run, with its first values where none are given."""
    got = {}
    monkeypatch.setattr(
        playing, "instrument", lambda knobs, run, *_: got.update(knobs=knobs, run=run)
    )
    what_is_joined(saved, ROWS)
    first = {knob.name: knob.value for knob in got["knobs"]}
    return lambda **turned: got["run"](**first | turned)


def test_two_names_exchanged_are_joined_without_a_word_and_wrong(saved, monkeypatch):
    run = played(saved, monkeypatch)
    for restore in playing.ASKED.values():
        exchanged = run(name=EXCHANGED, restore=restore)
        assert exchanged.error == "" and all(map(exchanged.restored, exchanged.after))
        losses = exchanged.losses
        assert losses["saved"] < losses["after"] < losses["before"]


def test_who_notices_what_when_the_knobs_are_turned(saved, monkeypatch):
    run = played(saved, monkeypatch)
    expect, existing, consumed = playing.ASKED.values()

    def errors(**turned):
        runs = [run(**turned, restore=each) for each in (expect, existing, consumed)]
        return [each.error.split(":")[0] for each in runs]

    silent, asserted = "", "AssertionError"
    assert errors() == [silent] * 3
    assert errors(name="weights") == [silent, asserted, asserted]
    assert errors(mean=False) == [silent, silent, asserted]
    assert errors(files="no state") == [silent, asserted, asserted]
    assert errors(files="bit") == ["DataLossError"] * 3
    other_shape, other_dtype = run(numbers=3), run(dtype="float64")
    assert other_shape.after["w"].tolist() == [0, 0, 0]
    assert other_shape.restored("mean") and other_shape.restored("step")
    assert not any(map(other_dtype.restored, other_dtype.after))
    assert other_shape.error.startswith("ValueError")
    assert other_dtype.error.startswith("InvalidArgumentError")
    without = run(files="no state", restore=expect)
    assert not any(map(without.restored, without.after))


def test_the_names_are_those_that_the_checkpoint_is_given(tmp_path):
    own = tf.Variable(1.0, name="own")
    path = tf.train.Checkpoint(given=own).save(str(tmp_path / "run"))
    assert set(read(path)) == {"given", "save_counter"}


def test_the_repair_refuses_or_restores(folder, trained):
    refused = restored_by(RIGHT, folder, begin("weights"), ROWS)
    assert refused.error.startswith("ValueError") and "w, weights" in refused.error
    assert refused.after["step"] == 0
    copy = f"{folder}/copied without its state"
    os.makedirs(copy)
    assert copy in restored_by(RIGHT, copy, begin("w")).error
    mine = restored_by(RIGHT, folder, begin("w"), ROWS)
    assert mine.restored("w") and mine.restored("step") and not mine.error


def test_without_expect_partial_there_is_a_warning_at_the_end(folder):
    """The only word that TensorFlow says by itself, when the status is deleted."""
    said, level = [], tf.get_logger().level
    tf.get_logger().setLevel("WARNING")
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())
    tf.get_logger().addHandler(handler)
    try:
        tf.train.Checkpoint(**begin("weights")).restore(newest(folder))
        gc.collect()
        loud = list(said)
        said.clear()
        SHIPPED(folder, begin("weights"))
        gc.collect()
    finally:
        tf.get_logger().removeHandler(handler)
        tf.get_logger().setLevel(level)
    assert any("(root).w" in line for line in loud)
    assert said == []


def test_a_cell_lets_two_workers_go_on(folder, trained, capsys):
    names = {"begin": begin, "broken_restore": SHIPPED, "folder": folder}
    CELLS.run("workers", tempfile=tempfile, **names)
    first, second = capsys.readouterr().out.splitlines()[-2:]
    assert "worker 1 began with [0. 0.]" in second
    ends = [_numbers(line.split("has")[1]) for line in (first, second)]
    np.testing.assert_allclose(np.subtract(*ends), trained, atol=1e-5)


def _numbers(text):
    return np.array([float(each) for each in text.strip(" []").split()])


def test_the_probe_names_what_was_not_restored(folder):
    probe = CELLS.run("probe")["not_from_the_file"]
    for name, missed in (("weights", ["weights"]), ("w", [])):
        program = begin(name)
        program[name].assign([7.0, 8.0])
        found = probe(lambda program=program: SHIPPED(folder, program), program)
        assert found == missed
        assert program["step"].numpy() == 40
        assert (program[name].numpy().tolist() == [7.0, 8.0]) == bool(missed)


def test_the_probe_knows_other_dtypes_and_values_of_zero(tmp_path):
    probe = CELLS.run("probe")["not_from_the_file"]
    values = {"flag": np.array([True]), "zero": np.zeros(2, np.float16)}
    values["one"] = np.array(1, np.int64)
    path = write(tmp_path, values)
    program = {name: tf.Variable(value) for name, value in values.items()}
    program["more"] = tf.Variable(np.zeros(3))
    checkpoint = tf.train.Checkpoint(**program)
    assert probe(lambda: checkpoint.restore(path).expect_partial(), program) == ["more"]


def dense(units=2, count=2, dtype="float32", **names):
    layers = [
        tf.keras.layers.Dense(units, dtype=dtype, name=names.get(f"name{k}"))
        for k in range(count)
    ]
    return tf.keras.Sequential([tf.keras.Input((2,)), *layers])


def test_keras_joins_by_order(tmp_path):
    """Other names change nothing, less goes unnoticed; shapes unless told to skip."""
    path = str(tmp_path / "two.weights.h5")
    saved = dense(name0="a", name1="b")
    saved.save_weights(path)
    swapped = dense(name0="b", name1="a")
    swapped.load_weights(path)
    for one, other in zip(saved.weights, swapped.weights, strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())
    dense(count=1).load_weights(path)
    with pytest.raises(ValueError, match="could not be loaded"):
        dense(count=3).load_weights(path)
    with pytest.raises(ValueError, match="could not be loaded"):
        dense(units=3).load_weights(path)
    with pytest.warns(UserWarning, match="could not be loaded"):
        dense(units=3).load_weights(path, skip_mismatch=True)


def turned_h5(tmp_path):
    """A .weights.h5 file in which one bit of a weight is turned; the model saved."""
    path = tmp_path / "turned.weights.h5"
    model = dense()
    model.save_weights(str(path))
    content, wanted = bytearray(path.read_bytes()), model.get_weights()[0].tobytes()
    assert content.count(wanted) == 1
    content[content.find(wanted) + 3] ^= 0x40
    path.write_bytes(content)
    return str(path), model


def test_a_cell_casts_what_keras_loads(folder, capsys):
    CELLS.run("cast", folder=folder)
    large, small = capsys.readouterr().out.splitlines()
    assert large == "[70000.0, 70000.0] became [inf, inf]"
    assert small.endswith("became [0.0, 1.7881393432617188e-07]")


def test_a_cell_scales_gradients(capsys):
    CELLS.run("scaled")
    shares = [
        line.split(":")[1].split() for line in capsys.readouterr().out.splitlines()
    ]
    assert [int(share[0]) for share in shares] == [996, 4, 0]
    assert shares[0][-1] == "100.00%" and float(shares[2][-1][:-1]) < 0.05


def test_a_whole_number_and_a_double_are_cast_by_assign():
    """NumPy arrays only: a tensor of another dtype is refused."""
    variable = tf.Variable([0.0, 0.0])
    variable.assign(np.array([1.5, 2.5]))
    assert variable.numpy().tolist() == [1.5, 2.5]
    with pytest.raises(ValueError, match="Tensor conversion requested"):
        variable.assign(tf.constant([1.5, 2.5], tf.float64))


def test_claim_003_19(folder, trained):
    """Reported: shape, dtype, a bit, a cut. Silent: names, no checkpoint, surplus."""
    path = newest(folder)
    for value in (np.zeros(3, np.float32), np.zeros(2)):
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
            SHIPPED(folder, {"w": tf.Variable(value)})
    for program in (begin("weights"), {"w": tf.Variable(trained)}):
        SHIPPED(folder, program)
    for name in ("elsewhere", "no file"):
        copy = f"{folder}-{name}"
        if name == "no file":
            shutil.copytree(folder, copy)
            os.remove(f"{copy}/checkpoint")
        program = begin("w")
        SHIPPED(copy, program)
        assert values_of(program)["step"] == 0
    turn_a_bit(path, trained)
    with pytest.raises(tf.errors.DataLossError):
        SHIPPED(folder, begin("w"))
    file = data_file(path)
    file.write_bytes(file.read_bytes()[:6])
    with pytest.raises(IndexError):
        SHIPPED(folder, begin("w"))
    assert read(path)["w"] is None


def _sum_of_two_kinds():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    context = tf.distribute.get_replica_context
    kind = ("float32", "float16")[strategy.cluster_resolver.task_id]
    own = tf.constant([1.0, 2.0], kind)
    return strategy.run(lambda: context().all_reduce("SUM", tf.identity(own))).dtype


@pytest.mark.prove
def test_claim_003_20(folder):
    """Refused in a checkpoint, InternalError between workers; casts are silent."""
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not equal original"):
        SHIPPED(folder, {"w": tf.Variable(np.zeros(2))})
    run = run_workers(_sum_of_two_kinds)
    assert any("InternalError" in str(end.error) for end in run.ends)
    large = dense()
    large.set_weights([np.full(v.shape, 7e4) for v in large.get_weights()])
    path = f"{folder}/large.weights.h5"
    large.save_weights(path)
    half = dense(dtype="float16")
    with warnings.catch_warnings(action="ignore"):
        half.load_weights(path)
    assert np.isinf(half.get_weights()[0]).all()


@pytest.mark.parametrize("file_of", [index_file, data_file])
def test_a_checkpoint_with_one_wrong_bit_never_gives_wrong_values(folder, file_of):
    """One bit of each byte: refused, or loaded with the right values."""
    path, ends = newest(folder), set()
    saved, file = read(path), file_of(path)
    content = file.read_bytes()
    for place in range(len(content)):
        turned = bytearray(content)
        turned[place] ^= 1 << place % 8
        file.write_bytes(turned)
        program = begin("w")
        try:
            SHIPPED(folder, program)
        except (tf.errors.OpError, ValueError, IndexError):
            ends.add("refused")
            continue
        ends.add("loaded")
        for name, value in values_of(program).items():
            np.testing.assert_array_equal(value, saved[name])
    assert "refused" in ends
    assert ends == {"refused"} or file_of is index_file


def test_claim_003_22(folder, trained, tmp_path):
    """A checkpoint notices one turned bit; a .weights.h5 file does not."""
    path, saved = turned_h5(tmp_path)
    model = dense()
    model.load_weights(path)
    assert (model.get_weights()[0] != saved.get_weights()[0]).sum() == 1
    turn_a_bit(newest(folder), trained)
    with pytest.raises(tf.errors.DataLossError, match="Checksum does not match"):
        SHIPPED(folder, begin("w"))
    gradient = np.array([1e-8, 3e-7], np.float32)
    assert gradient.astype(np.float16)[0] == 0
    assert [float(f"{number:f}") for number in gradient] == [0.0, 0.0]
