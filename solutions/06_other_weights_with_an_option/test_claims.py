"""The evidence for what notebook 06 states in its prose."""

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from autograder.source import read_source
from course.checks.failures import StepFailed
from course.lessons.n06_other_weights_with_an_option import (
    LIMIT,
    PREDICTION,
    in_fit,
    option_distances,
    playing,
    recorded_run,
    run_scaled,
    scaled_table,
)
from course.lessons.n06_other_weights_with_an_option.locate import applied
from course.runs.devices import mirrored
from course.runs.workloads import regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),  # before TensorFlow starts
]

SOURCE = Path(__file__).parent / f"{Path(__file__).parent.name}.py"
CELLS = {cell.id: cell.text for cell in read_source(SOURCE).cells}


@pytest.fixture(scope="module")
def notebook(devices):
    """The names that the notebook's cells up to the options define."""
    names = {
        "tf": tf,
        "np": np,
        "keras": tf.keras,
        "layers": tf.keras.layers,
        "mirrored": mirrored,
        "devices": devices,
        "rows": regression(128, seed=1),
        "LIMIT": LIMIT,
    }
    for cell in ("fit", "options", "my_gradient-fix"):
        exec(compile(CELLS[cell], cell, "exec"), names)
    yield names
    tf.keras.config.set_dtype_policy("float32")


def distance(notebook, one=None, **option):
    one = notebook["fit_on"](1, **option) if one is None else one
    return float(np.abs(notebook["fit_on"](2, **option) - one).max())


def test_the_table_is_what_runs_show(notebook):
    assert distance(notebook) < 1e-6
    seen = {name: distance(notebook, **o) for name, o in notebook["options"].items()}
    assert list(seen) == list(PREDICTION.rows)
    for name, (same,) in PREDICTION.rows.items():
        assert (seen[name] < 1e-6) if same else not (seen[name] < 1e-2), name
    assert np.isinf(seen["mixed_float16"])


@pytest.mark.parametrize("option", [{"clipvalue": 0.1}, {"global_clipnorm": 1.0}])
def test_the_other_clips_are_done_to_shares_too(notebook, option):
    assert distance(notebook, **option) > 1e-2


def test_one_number_makes_steps_that_are_twice_as_long(notebook):
    """The log's first step cannot show it: it is taken before any step is made."""
    option = notebook["options"]["loss, one number"]
    longer = lambda rate, **more: tf.keras.optimizers.SGD(2 * rate, **more)  # noqa: E731
    one = notebook["fit_on"](1, optimizer=longer, **option)
    assert distance(notebook, one, **option) < 1e-6


def test_the_log_of_one_number_is_twice_as_large_and_hides_it(notebook, monkeypatch):
    logs, fit = [], tf.keras.Model.fit
    keep = lambda *a, **k: logs.append(fit(*a, **k).history["loss"][0])  # noqa: E731
    monkeypatch.setattr(tf.keras.Model, "fit", keep)
    option = notebook["options"]["loss, one number"]
    distance(notebook, **option)
    assert np.round(logs, 2).tolist() == [2.11, 2.09]  # one device, two
    assert round(logs[1] / 2, 2) == 1.04  # the true loss
    standing = lambda rate: tf.keras.optimizers.SGD(0 * rate)  # noqa: E731
    distance(notebook, optimizer=standing, **option)
    assert logs[3] == pytest.approx(2 * logs[2])


def test_three_more_options_keep_the_weights(notebook):
    pictures = []
    names = {**notebook, "distance": lambda **option: distance(notebook, **option)}
    names |= {"show": pictures.append, "option_distances": option_distances}
    exec(compile(CELLS["more-options"], "more-options", "exec"), names)
    (picture,) = pictures
    assert picture.sentence == "Each of the 3 keeps the weights of one device."


def test_the_recording_to_try_on_tells_the_shipped_function(capsys):
    """What the fold says: (3, 1), after two steps in which zeros are right."""
    names = {"np": np, "LIMIT": LIMIT, "recorded_run": recorded_run}
    for cell in ("my_first_misplaced-broken", "my_first_misplaced-fix"):
        exec(compile(CELLS[cell], cell, "exec"), names)
    exec(compile(CELLS["try-misplaced"], "try-misplaced", "exec"), names)
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "found: (3, 1)" and len(printed) == 2 + 7
    shares, applied = recorded_run()
    assert names["broken_first_misplaced"](shares, applied) == (5, 1)
    assert np.isinf(shares[1:3]).any(axis=(1, 2)).all() and not applied[1:3].any()
    assert np.linalg.norm(shares[3], axis=1).min() > LIMIT
    assert round(np.linalg.norm(shares[3].sum(axis=0)), 2) == 0.73
    assert applied[3].round(2).tolist() == [0.05, -0.24]


def test_where_replicas_apply_what_one_device_applies(devices):
    """The answers beside the instrument: its first settings, and others."""
    runs = {n: playing.run("clipnorm", 2, n, 12) for n in (2, 3, 4)}
    gaps = [round(float(run.gaps[-1]), 2) for run in runs.values()]
    assert gaps == [0.39, 0.45, 0.50]
    lengths = [np.linalg.norm(run.applied, axis=1) for run in runs_of(runs[2])]
    assert np.abs(lengths[0][0] - 1.22) < 0.005
    assert [round(float(each[1]), 2) for each in lengths] == [3.97, 2.00]
    assert equal_steps(runs[2]) == [0]
    assert equal_steps(playing.run("clipnorm", 6, 2, 12)) == list(range(8))
    parts = playing.run("clipvalue", 2, 2, 12)
    assert round(float(parts.gaps[-1]), 2) == 0.33
    many = playing.run("clipnorm", 2, 2, 24)
    assert round(float(many.gaps[-1]), 2) == 0.13 and equal_steps(many) == []
    longest = [
        float(np.linalg.norm(run.replicas.sent.sum(axis=1), axis=1).max())
        for run in (playing.run("none", 2, 2, batch) for batch in (12, 24))
    ]
    assert longest[1] < longest[0]


def runs_of(both):
    return both.replicas, both.alone


def equal_steps(both):
    off = np.abs(both.replicas.applied - both.alone.applied).max(axis=1)
    return np.flatnonzero(off < 1e-4).tolist()


def test_the_first_step_of_float16_overflows(notebook, monkeypatch):
    """The scale that it starts with is too large: one device skips a step of eight."""
    models, compiled = [], tf.keras.Model.compile
    keep = lambda self, *a, **k: models.append(self) or compiled(self, *a, **k)  # noqa: E731
    monkeypatch.setattr(tf.keras.Model, "compile", keep)
    notebook["fit_on"](1, policy="mixed_float16")
    (model,) = models
    assert model.optimizer.initial_scale == 32768
    assert float(model.optimizer.dynamic_scale) == 16384
    assert int(model.optimizer.step_counter) == 7
    assert 2 * 32768 > float(np.finfo(np.float16).max) > 1.999 * 32768


def test_accumulation_stops_with_an_error(notebook):
    with pytest.raises(RuntimeError, match="merge_call"):
        notebook["fit_on"](2, gradient_accumulation_steps=2)


def test_mine_in_fit_is_one_device(notebook):
    alone = notebook["fit_on"](1, clipnorm=LIMIT)
    code = CELLS["run-mine"].partition("\n\n")[0]
    exec(compile(code, "run-mine", "exec"), notebook)
    mine = notebook["WithMine"]
    assert np.abs(notebook["fit_on"](2, optimizer=mine) - alone).max() < 1e-6
    assert np.abs(notebook["fit_on"](2, clipnorm=LIMIT) - alone).max() > 1e-2


ONLY_VECTORS = """
def my_gradient(own, count, ctx):
    both = ctx.all_reduce("SUM", tf.concat([own, [count]], axis=0))
    return tf.clip_by_norm(both[:2] / both[2], LIMIT)
"""


def test_an_answer_for_vectors_only_gets_sentences_in_confirm(notebook):
    """The check has the shape (2,) only, as the text says; fit has others."""
    names = {**notebook, "in_fit": in_fit}
    exec(ONLY_VECTORS, names)
    with pytest.raises(StepFailed, match=r"In fit, .* \(2, 4\), \(4,\), \(4, 1\)"):
        exec(compile(CELLS["run-mine"], "run-mine", "exec"), names)


def test_equal_counts_hide_a_mean_of_means_in_confirm(notebook):
    """In Confirm, the counts are equal: what is wrong for others looks right."""
    names = dict(notebook)
    names["my_gradient"] = lambda own, count, ctx: tf.clip_by_norm(
        ctx.all_reduce("MEAN", own / count), LIMIT
    )
    code = CELLS["run-mine"].partition("\n\n")[0]
    exec(compile(code, "run-mine", "exec"), names)
    alone = notebook["fit_on"](1, clipnorm=LIMIT)
    assert (
        np.abs(notebook["fit_on"](2, optimizer=names["WithMine"]) - alone).max() < 1e-6
    )


def test_the_lines_of_keras_are_there(notebook, capsys):
    exec(compile(CELLS["lines"], "lines", "exec"), notebook)
    printed = capsys.readouterr().out
    clip = printed.index("_clip_gradients(grads)")
    assert clip < printed.index("_all_reduce_sum")
    assert "`grads` is all-reduced across replicas." in printed
    lines = [line.partition(": ")[2] for line in printed.splitlines()[1:]]
    assert len(set(lines)) == len(lines)  # none twice


def test_replicas_that_decide_for_themselves_have_other_scales(devices):
    def each_for_itself(share, scale, good, ctx):
        finite = tf.reduce_all(tf.math.is_finite(share))
        return share, tf.where(finite, scale, scale / 2), good

    shares = np.ones((2, 2, 2))
    shares[0, 1] = 100
    returned = run_scaled(each_for_itself, shares, devices[:2])
    assert returned[-1, :, 2].tolist() == [1024, 512]
    replicas, header, *_, last = scaled_table(returned).splitlines()
    assert replicas.split() == ["replica", "0:", "replica", "1:"]
    assert header.split() == ["step", *["gradient", "scale", "count"] * 2]
    assert last.split()[0] == "1" and last.split()[3::4] == ["1024", "512"]


def test_clipped_shares_may_be_short_enough_and_wrong():
    """Hint 1 of Locate: two shares, clipped, whose sum is as long as the right one."""
    shares = np.array([[2.5 * LIMIT, 0.0], [-0.5 * LIMIT, 0.8 * LIMIT]])
    before, alone = applied(shares, False, True), applied(shares, False, False)
    assert np.linalg.norm(before) < LIMIT and np.linalg.norm(alone) <= LIMIT + 1e-9
    assert np.abs(before - alone).max() > 0.1
