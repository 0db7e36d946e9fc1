"""Each probe, as docs/triage.md prints it, in scripts that never heard of the course."""

import functools
import json
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from triage_page import PAGE, SECTIONS, Script, printed

HERE = Path(__file__).resolve().parent
DEADLINE = 150  # seconds for a run; the slowest takes about 20
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("triage")]

LOOP = "step = 0"
END_OF_STEP = "        step += 1"
LOOP_OF_STEPS = "    for batch in dist_dataset:"
IN_REPLICA = "    with tf.GradientTape() as tape:"
FIT = "history = model.fit(dataset, epochs=2, verbose=0)"
WORKER_LOOP = "for step, batch in enumerate(dist_dataset):"
WORKER_STEP = "    loss = train_step(batch)"


def script(name):
    return Script((HERE / "foreign" / f"{name}.py").read_text("utf-8"))


@contextmanager
def process(command, folder, log, **environment):
    """Start a child whose output goes to a file; kill it at the end, whatever came."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **environment}
    environment |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    with (folder / log).open("w") as file:
        child = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=file, stderr=subprocess.STDOUT
        )
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def run(text, folder, **environment):
    """Run a program to its end in `folder`; return all that it printed."""
    (folder / "program.py").write_text(text, "utf-8")
    command = [sys.executable, "program.py"]
    with process(command, folder, "program.log", **environment) as child:
        child.wait(DEADLINE)
    output = (folder / "program.log").read_text()
    assert child.returncode == 0, output
    return output


def outside(probe, folder, **environment):
    """Run a probe as a program of its own: its definition, and its last call."""
    section = SECTIONS[probe]
    return run(f"{section.definition}\n{section.calls[-1]}", folder, **environment)


@contextmanager
def workers(text, folder, running=2):
    """Start the first `running` of two workers; yield them and their TF_CONFIGs."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(2)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        hosts = [f"127.0.0.1:{each.getsockname()[1]}" for each in sockets]
    (folder / "worker.py").write_text(text, "utf-8")
    command = [sys.executable, "worker.py"]
    configs = [
        json.dumps(
            {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": index}}
        )
        for index in range(2)
    ]
    with ExitStack() as stack:
        children = [
            stack.enter_context(
                process(command, folder, f"{index}.log", TF_CONFIG=configs[index])
            )
            for index in range(running)
        ]
        yield children, configs


def until(ready, children, folder):
    """Wait until `ready()` is true; fail where a child ends before, or time is up."""
    end = time.monotonic() + DEADLINE
    while not ready():
        running = all(child.poll() is None for child in children)
        assert running and time.monotonic() < end, logs(folder)
        time.sleep(0.1)


class Runs:
    """The runs of the scripts: each is made when a test first asks for its output."""

    def __init__(self, folder):
        self.folder = folder

    def new_folder(self, name):
        (self.folder / name).mkdir()
        return self.folder / name

    @functools.cached_property
    def compared(self):
        """The folder of the loop's first run, without a strategy."""
        folder = self.new_folder("loop")
        run(compared("tf.distribute.get_strategy()").text, folder)
        return folder

    @functools.cached_property
    def one_replica(self):
        one = compared('tf.distribute.MirroredStrategy(["CPU:0"])')
        return run(one.text, self.compared)

    @functools.cached_property
    def loop(self):
        """The loop as it is, with most probes; a step takes at least 0.1 seconds."""
        job = compared('tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])')
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
        return run(job.text, self.compared)

    @functools.cached_property
    def loop_with_faults(self):
        """A mean of means, a pinned model, no lock, slow rows, a Python number."""
        job = compared('tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])')
        job = job.edit("tf.reduce_sum(losses) / rows", "tf.reduce_mean(losses) / 2")
        job = job.edit(
            "        predictions = model(features, training=True)",
            '        with tf.device("CPU:0"):\n'
            "            predictions = model(features, training=True)",
        )
        job = job.edit("Dense(16,", "Dense(128,")
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
            "rows_that_fit",
        )
        return run(job.text, self.compared)

    @functools.cached_property
    def loop_with_other_faults(self):
        """Own gradients, no tf.function, a read in each step, a small batch, too wide."""
        job = script("mirrored_loop")
        job = job.edit(
            "    optimizer.apply_gradients(zip(gradients, model.trainable_variables))",
            "    for variable, gradient in zip(model.trainable_variables, gradients):\n"
            "        variable.value.assign_sub(0.05 * gradient)",
        )
        job = job.edit("@tf.function\n", "")
        job = job.edit("(train_step(batch))", "(float(train_step(batch)))")
        job = job.edit("4 * strategy.num_replicas_in_sync", "4")
        job = in_loop(
            job, "describe_training", "largest_spread", "count_reads"
        )
        places = [("before", LOOP), ("before", IN_REPLICA), ("end",)]
        return run(job.paste("meet", *places).text, self.new_folder("other"))

    @functools.cached_property
    def loop_not_distributed(self):
        job = in_loop(script("mirrored_loop"), "row_report")
        old = "dist_dataset = strategy.experimental_distribute_dataset(dataset)"
        job = job.edit(old, "dist_dataset = dataset")
        return run(job.text, self.new_folder("undistributed"))

    @functools.cached_property
    def fit_compared(self):
        """`fit` with Keras's own mean over an uneven batch, after the plain run."""
        job = script("keras_fit").edit("Noise(0.1)", "Noise(0.0)")
        callback = SECTIONS["compare_runs"].calls[2].strip()
        job = job.edit("verbose=0)", f"verbose=0, callbacks=[{callback}])")
        job = job.paste("compare_runs").paste("largest_spread", ("end",))
        folder = self.new_folder("fit")
        run(without_strategy(job).text, folder)
        return run(job.text, folder)

    @functools.cached_property
    def fit(self):
        return run(in_fit(script("keras_fit")).text, self.new_folder("whole"))

    @functools.cached_property
    def fit_with_faults(self):
        job = in_fit(script("keras_fit"))
        job = job.edit(" Noise(0.1)", " tf.keras.layers.Dropout(0.5)")
        job = job.edit(".batch(8)", ".batch(8, drop_remainder=True)")
        return run(job.text, self.new_folder("faults"))

    @functools.cached_property
    def split(self):
        return run(in_split(script("split_model")).text, self.new_folder("split"))

    @functools.cached_property
    def split_with_fault(self):
        job = script("split_model")
        old = job.text[job.text.index('    with tf.device("CPU:1"):\n        with') :]
        old = old[: old.index("    return loss")]
        job = job.edit(
            old,
            '    with tf.device("CPU:1"), tf.GradientTape() as upper:\n'
            "        upper.watch(hidden)\n"
            "        loss = tf.reduce_mean((hidden @ second - labels) ** 2)\n"
            "    slope, gradient = upper.gradient(loss, [hidden, second])\n"
            "    second.assign_sub(0.1 * gradient)\n"
            "    gradient = lower.gradient(hidden, first, output_gradients=slope)\n"
            "    first.assign_sub(0.1 * gradient)\n",
        )
        return run(in_split(job).text, self.new_folder("split-fault"))

    @functools.cached_property
    def job(self):
        """The folder of two sound workers, with all that they and `outside` printed."""
        folder = self.new_folder("job")
        with workers(in_worker(script("worker")).text, folder) as (children, _):
            for child in children:
                child.wait(DEADLINE)
        output = logs(folder)
        assert [child.returncode for child in children] == [0, 0], output
        output += outside("reads_over_workers", folder) + outside("late", folder)
        return folder, output

    @functools.cached_property
    def job_that_hangs(self):
        """Worker 1 goes another way before step 3; the checkpoint is the sound job's."""
        folder, _ = self.job
        job = in_worker(script("worker"))
        job = job.edit(
            f"{WORKER_LOOP}\n", f"{WORKER_LOOP}\n    if index == 1 and step == 2:\n"
            "        __import__('time').sleep(600)\n"
        )
        with workers(job.text, folder) as (children, configs):
            waiting = folder / "0.log"
            until(lambda: "Timeout (" in waiting.read_text(), children, folder)
            answers = outside("who_answers", folder, TF_CONFIG=configs[0])
        for file in (folder / "steps").iterdir():
            seen = file.stat().st_mtime - 60  # as if a minute had passed
            os.utime(file, (seen, seen))
        return logs(folder) + answers + outside("late", folder)

    @functools.cached_property
    def job_with_faults(self):
        """No shards, variables outside of the scope, two messages, a wrong name."""
        folder, _ = self.job
        self.job_that_hangs  # it needs the sound job's files, too
        job = in_worker(script("worker"))
        job = job.edit("    rows = rows.shard(", "    rows.shard(")
        job = job.edit("with strategy.scope():", "if True:")
        job = job.edit(
            '*gradients, rows = context.all_reduce("SUM", [*gradients, rows])',
            'gradients = [context.all_reduce("SUM", each) for each in gradients]',
        )
        job = job.edit("Checkpoint(weights=weights", "Checkpoint(kernel=weights")
        with workers(job.text, folder) as (children, _):
            for child in children:
                child.wait(DEADLINE)
        output = logs(folder)
        assert [child.returncode for child in children] == [0, 0], output
        return output + outside("reads_over_workers", folder)

    @functools.cached_property
    def job_of_one(self):
        folder = self.new_folder("alone")
        with workers(script("worker").text, folder, running=1) as (children, configs):
            answers = []

            def listens():
                answers.append(outside("who_answers", folder, TF_CONFIG=configs[0]))
                return "answers" in answers[-1]

            until(listens, children, folder)
        return answers[-1]


def compared(strategy):
    job = script("mirrored_loop").edit("4 * strategy.num_replicas_in_sync", "8")
    old = 'tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])'
    job = job.edit(old, strategy)
    return job.paste("compare_runs", ("before", LOOP), ("after", END_OF_STEP))


def without_strategy(job):
    old = 'tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])'
    return job.edit(old, "tf.distribute.get_strategy()")


def in_loop(job, *probes):
    """Paste probes into the loop, where the page says."""
    if "surviving_updates" in probes:  # the reader's part
        job = job.edit("def count_row():", "def count_row(pause=lambda: None):")
        job = job.edit("rows_read.numpy()\n", "rows_read.numpy()\n        pause()\n")
    job = job.edit("import threading\n", "import threading\nimport time\n")
    if "rows_that_fit" in probes:  # and here
        step_on = "def step_on(rows):\n    train_step((tf.ones((rows, 4)), tf.ones((rows, 1))))"
        job = job.edit(LOOP, f"{step_on}\n\n\n{LOOP}")
    places = {
        "row_report": [("before", "dataset = dataset.batch(global_batch)"), ("before", LOOP)],
        "largest_spread": [("after", END_OF_STEP)],
        "count_reads": [("after", END_OF_STEP), ("end",)],
        "meet": [("before", LOOP), ("before", IN_REPLICA), ("end",), ("end",)],
        "waits": [("before", LOOP), ("over", LOOP_OF_STEPS), ("end",)],
        "surviving_updates": [("end",)],
        "rows_that_fit": [("end",)],
    }
    for probe in probes:
        job = job.paste(probe, *places.get(probe, [("before", LOOP)]))
    return job


def in_fit(job):
    dist = "dist_dataset = strategy.experimental_distribute_dataset(dataset)"
    job = job.edit(FIT, f"{dist}\n{FIT}")
    rows = re.search(r"^dataset = dataset.shuffle.*$", job.text, re.M)[0]
    job = job.paste("row_report", ("before", rows), ("before", FIT))
    return job.paste("shared_and_repeated", ("before", dist))


def in_split(job):
    return job.paste("devices_asked", ("before", "for _ in range(20):"))


def in_worker(job):
    before = ("before", WORKER_LOOP)
    job = job.paste("workers_that_differ", before).paste("messages_of", before)
    job = job.paste("reads_over_workers", before)
    job = job.paste("entering", ("before", WORKER_STEP))
    job = job.paste("late", before)
    job = job._put(SECTIONS["late"].calls[0], "after", WORKER_STEP)
    restore = "    checkpoint.restore(checkpoint_path)"
    return job.paste("not_from_the_file", ("over", restore))


def logs(folder):
    return "".join(file.read_text() for file in sorted(folder.glob("[01].log")))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return Runs(tmp_path_factory.mktemp("triage"))
