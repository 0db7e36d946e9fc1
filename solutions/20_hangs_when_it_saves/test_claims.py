"""The evidence for what notebook 20 states in its prose."""

import os
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells
from triage_page import script
from triage_runs import logs, wait_until, workers
from triage_runs import run_workers as run_scripts

from course.lessons.n20_hangs_when_it_saves import PREDICTION, observe_ways
from course.lessons.n20_hangs_when_it_saves.deaths import MIDDLE, Death, changes_of
from course.lessons.n20_hangs_when_it_saves.meetings import joined, meetings, told
from course.lessons.n20_hangs_when_it_saves.playing import Shown, idle_knobs
from course.lessons.n20_hangs_when_it_saves.saving_job import (
    SHOWN,
    counted_rows,
    job_of,
    run_jobs,
    train_and_save,
)
from course.runs.cluster import note, run_workers
from course.runs.cluster.live import LiveRun
from course.runs.worker_steps import step_over_workers, worker_strategy

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

CELLS = PrintedCells(__file__, tf=tf, os=os)


def broken():
    return CELLS.run("my_save-broken")["broken_save"]


def mine():
    return CELLS.run("my_save-fix")["my_save"]


def test_the_six_ways_end_as_the_prediction_says():
    assert observe_ways() == PREDICTION.rows


def test_a_save_of_one_worker_takes_part_in_the_others_step():
    run = train_and_save(broken())
    save, step = (1, "save"), (2, "step")
    assert joined(run)[:3] == [((k, "step"),) * 2 for k in range(2)] + [(save, step)]
    assert [end.outcome for end in run.cluster.ends] == ["waited", "returned"]
    held = run.files["weights"]
    assert held is not None and run.held_after() is None
    assert (
        held[2:] != np.round(held[2:])
    ).any()  # parts of a gradient: no numbers of rows


def test_with_other_sizes_a_worker_gets_an_error():
    """The notebook's three numbers are the case in which nobody hears of it."""
    outcomes = [end.outcome for end in run_workers(_reads_alone).ends]
    assert "raised" in outcomes and "returned" not in outcomes


def _reads_alone():
    strategy = worker_strategy()
    with strategy.scope():
        w, seen = (
            tf.Variable([0.0, 0.0]),
            tf.Variable(
                0.0,
                synchronization=tf.VariableSynchronization.ON_READ,
                aggregation=tf.VariableAggregation.SUM,
            ),
        )
    step = step_over_workers(strategy, w)
    step.get_concrete_function()
    if strategy.cluster_resolver.task_id == 0:
        seen.read_value()
    step(tf.ones((1, 2)), tf.ones(1))


def test_who_reads_seen_gets_the_sum_and_keras_metrics_are_such_variables():
    counter = CELLS.run("seen")["counter"]()
    assert counter.synchronization == counted_rows().synchronization
    assert counter.aggregation == counted_rows().aggregation
    names = CELLS.run("probe")["read_together"](tf.keras.metrics.Mean().variables)
    assert names == ["mean/total", "mean/count"]
    normal = tf.keras.layers.BatchNormalization()
    normal.build((None, 2))
    assert CELLS.run("probe")["read_together"](normal.variables) == []  # with Keras 3


def test_a_write_and_a_rename_are_a_change_each():
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder, "weights"), Path(folder, "beside")
        old.write_bytes(b"old")
        with changes_of(folder, lambda n: seen.append(old.read_bytes())) as unseen:
            with unseen():
                new.write_bytes(b"new")
            new.replace(old)
    assert seen == [b"old", b"new"]


def test_a_copy_is_seen_in_the_middle():
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder, "weights"), Path(folder, "beside")
        old.write_bytes(b"old")
        new.write_bytes(b"new")
        with changes_of(folder, lambda n: seen.append(old.read_bytes())):
            shutil.copyfile(new, old)
    assert seen[0] == b"" and seen[-1] == b"new"


@pytest.mark.parametrize("worker", [0, 1])
def test_after_a_kill_the_solution_has_left_the_save_before(worker):
    job = job_of(SHOWN, death=Death(worker, MIDDLE))
    (run,) = run_jobs(mine(), [job])
    assert run.cluster.ends[worker].outcome == "killed"
    assert run.held_after() in ((1,), (1, 3))[worker]


def test_checkpoint_manager_saves_on_all_and_keeps_one():
    """As Confirm says: the real folder for worker 0, a temporary one for the others."""
    with tempfile.TemporaryDirectory() as folder:
        run = run_workers(_managed, folder)
        assert [end.outcome for end in run.ends] == ["returned"] * 2
        found = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder))
        assert found.get_tensor("seen/.ATTRIBUTES/VARIABLE_VALUE").tolist() == [3, 3, 3]
        assert sum(name.endswith(".index") for name in files_named(folder)) == 1


def files_named(folder):
    return [each.name for each in Path(folder).rglob("*")]


def _managed(folder):
    strategy = worker_strategy()
    worker = strategy.cluster_resolver.task_id
    with strategy.scope():
        seen = counted_rows()
    strategy.run(seen.assign_add, (tf.fill([3], worker + 1.0),))
    own = folder if worker == 0 else tempfile.mkdtemp()
    checkpoint = tf.train.Checkpoint(seen=seen)
    manager = tf.train.CheckpointManager(checkpoint, own, max_to_keep=1)
    for _ in range(2):
        manager.save()
    note(own=own)


@pytest.mark.parametrize(("name", "after"), [("broken_save", None), ("my_save", 5)])
def test_the_panel_shows_the_run_while_it_goes_on(name, after):
    shown = Shown()
    save = {"broken_save": broken, "my_save": mine}[name]()
    live, said = LiveRun(shown.job(save, late=0, death="nobody")), []

    def look(now):
        said.append(shown.picture(now, live.acts).sentence)
        if now.seconds > 8:
            live.end()

    run = live.run(look)
    assert len(said) > 2
    held = "right for step 5" in told_at_the_end(shown, run)
    assert held == (after == 5)


def told_at_the_end(shown, run):
    return shown.picture(run, ()).sentence


def test_the_panel_kills_a_worker_in_its_write():
    shown = Shown()
    job = shown.job(mine(), late=0, death="worker 0, in the middle of its write")
    live = LiveRun(job)
    begun = time.monotonic()
    run = live.run(lambda now: live.end() if time.monotonic() > begun + 15 else None)
    assert run["worker 0"].outcome == "killed"
    assert "right for step 1" in told_at_the_end(shown, run)


def test_a_kill_in_the_second_write_leaves_half_a_file_and_the_other_ends():
    shown = Shown()
    job = shown.job(broken(), late=0, death="worker 0, in the middle of its write")
    run = LiveRun(job).run(lambda now: None)
    assert [end.outcome for end in run.ends] == ["killed", "returned"]
    assert "weights is incomplete" in told_at_the_end(shown, run)


def test_the_clock_of_a_worker_that_saves_nothing_is_idle():
    assert list(idle_knobs(late=0, death="nobody", save=broken())) == ["late"]
    assert idle_knobs(late=0, death="nobody", save=mine()) == {}


def test_with_the_shipped_function_the_clock_changes_no_call():
    calls = []
    for late in (0, 1):
        run = train_and_save(broken(), replace(job_of(SHOWN), late=late))
        calls.append(run.calls())
    assert calls[0] == calls[1]


def test_the_shipped_function_waits_in_step_4():
    run = train_and_save(broken())
    assert run.calls()[0][-1] == (4, "step")
    assert [end.outcome for end in run.cluster.ends] == ["waited", "returned"]


def test_the_worker_that_is_cut_off_is_the_only_one_without_an_error():
    live = LiveRun(Shown().job(broken(), late=0, death="nobody"))

    def look(now):
        beats = now["worker 1"].beats
        if not live.acts and beats and beats[-1].facts.get("step", 0) >= 1:
            live.cut("worker 1")
        if live.acts and now.seconds > live.acts[0].at + 20:
            live.end()

    run = live.run(look)
    assert [end.outcome for end in run.ends] == ["raised", "waited"]
    assert run["worker 0"].beats[-1].at - live.acts[0].at < 4


def test_the_panel_says_that_a_worker_is_halted():
    shown = Shown()
    live = LiveRun(shown.job(broken(), late=0, death="nobody"))

    def look(now):
        beats = now["worker 1"].beats
        if not live.acts and beats and beats[-1].facts.get("step", 0) >= 1:
            live.halt("worker 1")
        if now["worker 0"].outcome == "raised":
            live.end()

    run = live.run(look)
    assert "Worker 1 is halted." in shown.picture(run, live.acts).sentence


def test_before_the_first_step_the_picture_says_so():
    shown, said = Shown(), []
    live = LiveRun(shown.job(broken(), late=0, death="nobody"))

    def look(now):
        said.append(shown.picture(now, live.acts).sentence)
        if (
            now["worker 0"].beats
            and now["worker 0"].beats[-1].facts.get("step", -1) >= 0
        ):
            live.end()

    live.run(look)
    assert said[0] == "No worker has made a step yet."


@pytest.mark.parametrize(
    ("act", "name", "other", "least"),  # seconds: the service waits for a sign of life
    [
        ("kill", "worker 1", "worker 0", 5),
        ("halt", "worker 1", "worker 0", 5),
        ("kill", "worker 0", "worker 1", 0),  # it runs the service
    ],
)
def test_in_the_panel_the_other_worker_hears_of_it(act, name, other, least):
    live = LiveRun(Shown().job(broken(), late=0, death="nobody"))

    def look(now):
        beats = now[name].beats
        if not live.acts and beats and beats[-1].facts.get("step", 0) >= 1:
            getattr(live, act)(name)
        if now[other].outcome == "raised":
            live.end()

    run = live.run(look)
    assert run[other].beats[-1].facts["failed"] == "UnavailableError"
    assert run[other].beats[-1].at - live.acts[0].at > least


def test_a_late_clock_lets_a_save_meet_a_step():
    job = replace(job_of(SHOWN), late=1)
    run = train_and_save(mine(), job)
    assert ((1, "save"), (2, "step")) in joined(run)
    assert "The save after step 1 of worker 0 met step 2" in told(run)
    assert "step 2" in meetings(run).sentence


FIT = "history = model.fit(dataset, epochs=2, verbose=0)\n"
CALLBACKS = """\
saving = tf.keras.callbacks.ModelCheckpoint("saved/w_{epoch}", save_weights_only=True)
stopping = tf.keras.callbacks.EarlyStopping("loss", min_delta=1e9, patience=0)
callbacks = [saving, stopping]
history = model.fit(dataset, epochs=4, verbose=0, callbacks=callbacks)
"""
ALONE = """\
class Alone(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.stop_training = index == 1


model.fit(dataset, epochs=2, verbose=0, callbacks=[Alone()])
print("done")
import time
time.sleep(600)
"""


def test_with_tf_keras_the_usual_callbacks_save_and_stop_together(tmp_path):
    """On all workers; worker 1 saves into a temporary folder, which goes away."""
    said = run_scripts(
        script("fit_worker").edit(FIT, CALLBACKS).text, tmp_path, "tf_keras"
    )
    losses = [line for line in said.splitlines() if line.startswith("losses:")]
    assert len(losses) == 2 and losses[0] == losses[1]
    assert len(losses[0].split("[")[1].split()) == 2  # of four epochs
    assert {name.split(".")[0] for name in files_named(tmp_path / "saved")} == {
        "checkpoint",
        "w_1",
        "w_2",
    }


def test_with_tf_keras_who_stops_alone_leaves_the_other_waiting(tmp_path):
    head = "import faulthandler\n\nfaulthandler.dump_traceback_later(20)\nimport json\n"
    job = script("fit_worker").edit("import json\n", head).edit(FIT, ALONE)

    def stands():
        first, second = ((tmp_path / f"{k}.log").read_text() for k in range(2))
        return "Timeout (" in first and "done" in second

    with workers(job.text, tmp_path, keras="tf_keras") as (children, _):
        wait_until(stands, children, tmp_path)
    assert (
        " in fit" in logs(tmp_path) and "done" not in (tmp_path / "0.log").read_text()
    )
