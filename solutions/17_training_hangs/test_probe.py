"""What the probe prints, in jobs without the course: all that triage.md shows."""

import os
import signal

import pytest
from triage_page import FIT, script, shows
from triage_runs import (
    DEADLINE,
    in_each_keras,
    logs,
    process,
    run,
    run_workers,
    wait_until,
    workers,
)

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("entering", 0, "sound"),
    ("entering", 1, "hangs"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("entering", 0, "sound"),
    ("entering", 1, "callback", "tf_keras"),
    ("entering", 2, "never_read"),
]

STEP = "    loss = train_step(batch)"
JOB = script("worker").paste("entering", ("before", STEP))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run_workers(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def hangs(tmp_path_factory):
    """Worker 1 does something else before step 3."""
    folder, loop = tmp_path_factory.mktemp("hangs"), "for batch in dist_dataset:\n"
    other = "    if index == 1 and step == 2:\n        time.sleep(600)\n"
    with workers(JOB.edit(loop, f"{loop}{other}").text, folder) as (children, _):

        def told():
            each = [(folder / f"{index}.log").read_text() for index in range(2)]
            return all("Timeout (" in text and "<module>" in text for text in each)

        wait_until(told, children, folder)
    return logs(folder)


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").paste_in_fit("entering")
READ = """
def read(row, label):
    return tf.ensure_shape(tf.numpy_function(read_row, [row], tf.float32), [4]), label

def read_row(row):
    time.sleep(600 if epochs_made else 0)
    return row

epochs_made = []
"""
MADE = (
    "tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda *_: epochs_made.append(1))"
)
NEVER_READ = FITTED.put(READ, "before", "ROWS = 21").edit(
    ".batch(8)", ".map(read).batch(8)"
)
NEVER_READ = NEVER_READ.edit("callbacks=[watch]", f"callbacks=[watch, {MADE}]")
STANDS = """
class Stands(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if index == 1 and batch == 1:
            time.sleep(600)

"""
CALLBACK = script("fit_worker").paste_in_fit("entering")
CALLBACK = CALLBACK.put(STANDS, "before", "with strategy.scope():")
CALLBACK = CALLBACK.edit("callbacks=[watch]", "callbacks=[watch, Stands()]")


def told(*files):
    """Whether all of these logs have stacks, down to the program's own line."""
    texts = [file.read_text() for file in files]
    return all("Timeout (" in text and "<module>" in text for text in texts)


def sound_fit(folder, keras):
    return run(FITTED.text, folder, keras=keras)


def callback(folder, keras):
    files = folder / "0.log", folder / "1.log"
    with workers(CALLBACK.text, folder, keras=keras) as (children, _):
        wait_until(lambda: told(*files), children, folder)
    return logs(folder)


def never_read(folder, keras):
    (folder / "train.py").write_text(NEVER_READ.text)
    file = folder / "train.log"
    with process("train.py", folder, "train.log", keras) as child:
        wait_until(lambda: told(file), [child], folder)
    return file.read_text()


FIT_JOBS = {"sound": sound_fit, "callback": callback, "never_read": never_read}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    printed = FIT_JOBS[job](tmp_path, keras)
    shows(probe, which, printed, alone=which == 0, page=FIT)  # a hang begins healthy


def test_fit_of_keras_3_does_not_run_in_a_cluster(tmp_path):
    """So that only tf_keras has jobs of several workers here."""
    with workers(script("fit_worker").text, tmp_path) as (children, _):
        assert 0 not in [child.wait(DEADLINE) for child in children]
    assert "PerReplica" in logs(tmp_path)


def test_a_signal_tells_where_a_worker_stands(tmp_path):
    (tmp_path / "train.py").write_text(
        NEVER_READ.edit("seconds=10", "seconds=600").text
    )
    file = tmp_path / "train.log"
    with process("train.py", tmp_path, "train.log") as child:
        wait_until(
            lambda: file.read_text().count("enters step 0") == 2, [child], tmp_path
        )
        os.kill(child.pid, signal.SIGUSR1)
        wait_until(lambda: "in <module>" in file.read_text(), [child], tmp_path)
    assert "Current thread" in file.read_text()
