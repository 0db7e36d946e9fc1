"""The evidence for what notebook 06 states in its prose."""

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from autograder.source import read_source
from course.lessons.n06_other_weights_with_an_option import (
    LIMIT,
    PREDICTION,
    playing,
    run_scaled,
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
        "normalize": tf.keras.layers.BatchNormalization,
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
    standing = lambda rate: tf.keras.optimizers.SGD(0 * rate)  # noqa: E731
    distance(notebook, optimizer=standing, **option)
    assert logs[3] == pytest.approx(2 * logs[2])


def test_more_replicas_end_further_away(devices):
    two, four = (playing.run("clipnorm", 2, n, 12).gaps[-1] for n in (2, 4))
    assert four > 1.2 * two > 0.4


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


def test_the_lines_of_keras_are_there(notebook, capsys):
    exec(compile(CELLS["lines"], "lines", "exec"), notebook)
    told = capsys.readouterr().out
    clip, update = told.index("_clip_gradients(grads)"), told.index("_all_reduce_sum")
    assert clip < update
    assert "`grads` is all-reduced across replicas." in told


def test_replicas_that_decide_for_themselves_have_other_scales(devices):
    def each_for_itself(share, scale, good, ctx):
        finite = tf.reduce_all(tf.math.is_finite(share))
        return share, tf.where(finite, scale, scale / 2), good

    shares = np.ones((2, 2, 2))
    shares[0, 1] = 100
    assert run_scaled(each_for_itself, shares, devices[:2])[-1, :, 2].tolist() == [
        1024,
        512,
    ]


def test_clipped_shares_may_be_short_enough_and_wrong():
    """Hint 1 of Locate: two shares, clipped, whose sum is as long as the right one."""
    shares = np.array([[2.5 * LIMIT, 0.0], [-0.5 * LIMIT, 0.8 * LIMIT]])
    before, alone = applied(shares, False, True), applied(shares, False, False)
    assert np.linalg.norm(before) < LIMIT and np.linalg.norm(alone) <= LIMIT + 1e-9
    assert np.abs(before - alone).max() > 0.1
