"""The line beside a process of a cluster is where it is now, never an older one."""

import linecache
import re
import time

import pytest
import tensorflow as tf

from course.kernels import warm
from course.runs.cluster import note
from course.runs.cluster.live import Job, LiveRun
from course.widgets.panel import _state

pytestmark = [
    pytest.mark.skipif(bool(warm.unavailable()), reason=warm.unavailable() or "-"),
    pytest.mark.xdist_group("warm"),
]

LONG = 60.0  # seconds by the clock, after which a run is over
IN_LOOP = r"step \d+, inside TensorFlow, called from the training loop"
SAVE = """
def broken_save(write, folder, worker):
    if worker == 0:
        write(f"{folder}/weights")
"""
EPOCH = """
def broken_epoch(batches, no_rows, step, sum_over_workers):
    for x, y in batches:
        step(x, y)
"""


def in_a_cell(text, name):
    """Define a function whose code stands in no file, as in a notebook's cell."""
    file, found = f"<cell of {name}>", {}
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), found)
    return found[name]


def states(job, until, act=lambda live, run: None):
    """Run a job until its states are as wanted; return all states that were shown."""
    live, shown = LiveRun(job, LONG), []

    def look(run):
        cut = {each.name for each in live.acts if each.what == "cut"}
        shown.append({end.name: _state(end, end.name in cut) for end in run.ends})
        act(live, run)
        if until(shown[-1]):
            live.end()

    live.run(look)
    assert until(shown[-1]), shown[-1]
    return shown


def test_one_that_waits_in_a_training_step_after_a_save():
    room = "course.lessons.n20_hangs_when_it_saves"
    shown = pytest.importorskip(f"{room}.playing").Shown()
    job = shown.job(in_a_cell(SAVE, "broken_save"), late=0, death="nobody")
    looks = []

    def waits(now):
        looks.append(bool(re.fullmatch(IN_LOOP, now["worker 0"])))
        return len(looks) > 8 and all(looks[-8:])  # for two seconds

    seen = states(job, waits)
    assert any("broken_save, line 4: write" in each["worker 0"] for each in seen)


def test_one_that_has_finished_and_one_that_waits_in_its_own_line():
    epoch = in_a_cell(EPOCH, "broken_epoch")
    hanging = pytest.importorskip("course.lessons.n17_training_hangs.playing")
    job = hanging.job(epoch, rows_0=4, rows_1=24, rows_2=24)

    def waits(now):
        line = r"step 1, inside TensorFlow, called from broken_epoch, line 4: step.*"
        return "finished" in now["worker 0"] and re.fullmatch(line, now["worker 1"])

    shown = [now["worker 0"] for now in states(job, waits)]
    last = max(k for k, each in enumerate(shown) if "finished" not in each)
    assert set(shown[last + 1 :]) == {"step 0, finished"}


INSIDE = "inside TensorFlow, called from reads_on, line .*"
HALTED = f"step \\d+, halted ({INSIDE}|in reads_on, line .*)"  # by chance, where it is


def reads_on():
    """Wait inside TensorFlow for elements that come after a tenth of a second."""

    def slow():
        while True:
            time.sleep(0.1)
            yield 1.0

    signature = tf.TensorSpec([], tf.float32)
    data = tf.data.Dataset.from_generator(slow, output_signature=signature)
    for step, _ in enumerate(data):
        note(step=step)


def test_one_that_is_halted_and_one_that_is_cut_off():
    def act(live, run):
        if run["worker 0"].facts.get("step", 0) > 2 and not live.acts:
            live.halt("worker 0")
            live.cut("worker 1")

    def both(now):
        halted = re.fullmatch(HALTED, now["worker 0"])
        return halted and re.fullmatch(f"cut off, step \\d+, {INSIDE}", now["worker 1"])

    states(Job({"worker": 2}, reads_on), both, act)
