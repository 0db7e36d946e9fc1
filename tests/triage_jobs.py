"""Jobs that know nothing of the course, sound and broken, with probes pasted into them.

A run has the probes of several rooms, as it takes as long with one. A probe whose room
is not there is left out. These are fixtures of all tests: conftest.py names this file.
"""

import os
import re
from pathlib import Path

import pytest
from triage_page import SECTIONS, Script
from triage_runs import logs, run, run_outside, run_workers, wait_until, workers

HERE = Path(__file__).resolve().parent

# lines of the scripts, where the page says to paste
TWO = 'tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])'
LOOP = "step = 0"
STEPS = "    for batch in dist_dataset:"
END_OF_STEP = "        step += 1"
IN_REPLICA = "    with tf.GradientTape() as tape:"
FIT = "history = model.fit(dataset, epochs=2, verbose=0)"
WORKER_STEP = "    loss = train_step(batch)"
STEP_ON = """\
def step_on(rows):
    train_step({})


"""


def script(name):
    return Script((HERE / "foreign" / f"{name}.py").read_text("utf-8"))


def compared(strategy):
    """The loop as question 1 asks for it: a strategy, and a fixed global batch."""
    job = script("mirrored_loop").edit("4 * strategy.num_replicas_in_sync", "8")
    job = job.edit(TWO, strategy)
    return job.paste("compare_runs", ("before", LOOP), ("after", END_OF_STEP))


def in_loop(job, *probes):
    """Paste probes into the loop; `pause` and `step_on` are the reader's part."""
    if "surviving_updates" in probes:
        job = job.edit("def count_row():", "def count_row(pause=lambda: None):")
        job = job.edit("rows_read.numpy()\n", "rows_read.numpy()\n        pause()\n")
    if "rows_that_fit" in probes:
        step_on = STEP_ON.format("(tf.ones((rows, 4)), tf.ones((rows, 1)))")
        job = job.edit(f"\n{LOOP}", f"\n{step_on}{LOOP}")
    places = {
        "largest_spread": [("after", END_OF_STEP)],
        "count_reads": [("after", END_OF_STEP), ("end",)],
        "meet": [("before", LOOP), ("before", IN_REPLICA), ("end",), ("end",)],
        "waits": [("before", LOOP), ("over", STEPS), ("end",)],
        "surviving_updates": [("end",)],
        "rows_that_fit": [("end",)],
    }
    for probe in probes:
        job = job.paste(probe, *places.get(probe, [("before", LOOP)]))
    return job


def in_fit(job):
    dist = "dist_dataset = strategy.experimental_distribute_dataset(dataset)"
    job = job.edit(FIT, f"{dist}\n{FIT}")
    (batched,) = re.findall(r"^dataset = dataset.shuffle.*$", job.text, re.M)
    job = job.paste("row_report", ("before", batched), ("before", FIT))
    return job.paste("shared_and_repeated", ("before", dist))


def in_worker(job):
    for probe in ("workers_that_differ", "messages_of", "reads_over_workers"):
        job = job.paste(probe, ("before", LOOP))
    job = job.paste("entering", ("before", WORKER_STEP))
    job = job.paste("late", ("before", LOOP))
    if "late" in SECTIONS:
        job = job.put(SECTIONS["late"].calls[0], "after", WORKER_STEP)
    restore = "    checkpoint.restore(checkpoint_path)"
    return job.paste("not_from_the_file", ("over", restore))


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory):
    return tmp_path_factory.mktemp


@pytest.fixture(scope="session")
def after_plain(new_folder):
    """The folder of the loop's first run, without a strategy."""
    folder = new_folder("loop")
    run(compared("tf.distribute.get_strategy()").text, folder)
    return folder


@pytest.fixture(scope="session")
def loop(after_plain):
    """The loop as it is, with most probes; a step takes at least 0.1 seconds."""
    job = compared(TWO)
    job = job.edit(END_OF_STEP, f"        time.sleep(0.1)\n{END_OF_STEP}")
    job = in_loop(
        job,
        "meet",
        "weights_of_rows",
        "describe_training",
        "largest_spread",
        "places_of_work",
        "count_reads",
        "waits",
        "surviving_updates",
        "rows_that_fit",
    )
    return run(job.text, after_plain)


@pytest.fixture(scope="session")
def loop_with_faults(after_plain):
    """A mean of means, a pinned model, no lock, slow rows, and a Python number."""
    job = compared(TWO)
    job = job.edit("tf.reduce_sum(losses) / rows", "tf.reduce_mean(losses) / 2")
    call = "predictions = model(features, training=True)"
    job = job.edit(call, f'with tf.device("CPU:0"):\n            {call}')
    job = job.edit("    with counting:", "    if True:")
    job = job.edit("    count_row()\n", "    count_row()\n    time.sleep(0.1)\n")
    job = job.edit("def train_step(batch):", "def train_step(batch, step=0):")
    job = job.edit("(train_step(batch))", "(train_step(batch, step))")
    job = in_loop(
        job,
        "meet",
        "weights_of_rows",
        "places_of_work",
        "surviving_updates",
        "waits",
    )
    return run(job.text, after_plain)


@pytest.fixture(scope="session")
def loop_with_other_faults(new_folder):
    """Each replica's own gradient, no tf.function, a read in each step, a small batch.

    Its rows divide: after an uneven last batch, the epoch's end took 30 seconds here.
    """
    job = script("mirrored_loop").edit("size=(21, 4)", "size=(24, 4)")
    job = job.edit(
        "    optimizer.apply_gradients(zip(gradients, model.trainable_variables, "
        "strict=True))",
        "    for variable, gradient in zip(model.trainable_variables, gradients):\n"
        "        variable.value.assign_sub(0.05 * gradient)",
    )
    job = job.edit("@tf.function\n", "")
    job = job.edit("(train_step(batch))", "(float(train_step(batch)))")
    job = job.edit("4 * strategy.num_replicas_in_sync", "4")
    job = in_loop(job, "describe_training", "largest_spread", "count_reads")
    job = job.paste("meet", ("before", LOOP), ("before", IN_REPLICA), ("end",))
    return run(job.text, new_folder("other_faults"))


@pytest.fixture(scope="session")
def fit_compared(new_folder):
    """`fit`, whose own mean is wrong in the uneven last batch, after the plain run."""
    job = script("keras_fit").edit("Noise(0.1)", "Noise(0.0)")
    if "compare_runs" in SECTIONS:
        callback = SECTIONS["compare_runs"].calls[2].strip()
        job = job.edit("verbose=0)", f"verbose=0, callbacks=[{callback}])")
    job = job.paste("compare_runs")
    folder = new_folder("fit")
    run(job.edit(TWO, "tf.distribute.get_strategy()").text, folder)
    return run(job.paste("largest_spread", ("end",)).text, folder)


@pytest.fixture(scope="session")
def fit(new_folder):
    return run(in_fit(script("keras_fit")).text, new_folder("fit"))


@pytest.fixture(scope="session")
def fit_with_faults(new_folder):
    """Keras's Dropout made in the scope, and a last batch that is dropped."""
    job = in_fit(script("keras_fit"))
    job = job.edit(" Noise(0.1)", " tf.keras.layers.Dropout(0.5)")
    job = job.edit(".batch(8)", ".batch(8, drop_remainder=True)")
    return run(job.text, new_folder("fit"))


@pytest.fixture(scope="session")
def split(new_folder):
    job = script("split_model")
    job = job.paste("devices_asked", ("before", "for _ in range(20):"))
    return run(job.text, new_folder("split"))


@pytest.fixture(scope="session")
def split_with_faults(new_folder):
    """Gradients outside of tf.device, and a layer too wide for the memory."""
    job = script("split_model")
    for old, new in (
        ("        slope, gradient = upper", "    slope, gradient = upper"),
        ("        second.assign_sub", "    second.assign_sub"),
        ("        gradient = lower", "    gradient = lower"),
        ("        first.assign_sub", "    first.assign_sub"),
        ('    with tf.device("CPU:0"):\n    gradient', "    gradient"),
        ("([4, 16]", "([4, 200]"),
        ("([16, 1]", "([200, 1]"),
    ):
        job = job.edit(old, new)
    job = job.paste("devices_asked", ("before", "for _ in range(20):"))
    step_on = STEP_ON.format("tf.ones((rows, 4)), tf.ones((rows, 1))")
    job = Script(job.text + step_on).paste("rows_that_fit", ("end",))
    return run(job.text, new_folder("split"))


@pytest.fixture(scope="session")
def job_folder(new_folder):
    """Where the workers' files are; each of the three jobs finds the one before's."""
    return new_folder("job")


@pytest.fixture(scope="session")
def job(job_folder):
    output = run_workers(in_worker(script("worker")).text, job_folder)
    output += run_outside("reads_over_workers", job_folder)
    return output + run_outside("late", job_folder)


@pytest.fixture(scope="session")
def job_that_hangs(job, job_folder):
    """Worker 1 does something else before step 3; all restore what was saved."""
    loop = "for batch in dist_dataset:\n"
    other = "    if index == 1 and step == 2:\n        time.sleep(600)\n"
    text = script("worker").edit(loop, f"{loop}{other}")
    with workers(in_worker(text).text, job_folder) as (children, configs):
        waiting = job_folder / "0.log"
        wait_until(lambda: "Timeout (" in waiting.read_text(), children, job_folder)
        answers = run_outside("who_answers", job_folder, TF_CONFIG=configs[0])
    for file in (job_folder / "steps").iterdir():
        as_if = file.stat().st_mtime - 60  # a minute had passed
        os.utime(file, (as_if, as_if))
    return logs(job_folder) + answers + run_outside("late", job_folder)


@pytest.fixture(scope="session")
def job_with_faults(job_that_hangs, job_folder):
    """No shards, variables outside of the scope, a message each, and a wrong name."""
    job = in_worker(script("worker"))
    job = job.edit("    rows = rows.shard(", "    rows.shard(")
    job = job.edit("with strategy.scope():", "if True:")
    job = job.edit(
        '*gradients, rows = context.all_reduce("SUM", [*gradients, rows])',
        'gradients = [context.all_reduce("SUM", each) for each in gradients]',
    )
    job = job.edit("Checkpoint(weights=weights", "Checkpoint(kernel=weights")
    output = run_workers(job.text, job_folder)
    return output + run_outside("reads_over_workers", job_folder)
