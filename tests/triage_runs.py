"""Programs as child processes with a deadline; none outlives the test that began it.

They are forked where TensorFlow is imported already: a run takes a second or two, so
that each room has runs of its own.
"""

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

import pytest
from forked_program import as_program
from triage_page import FIT, SECTIONS, shows

from course.kernels import siblings

DEADLINE = 150  # seconds for a run; the slowest takes about 20
LEGACY = "tf_keras"  # Keras 2, which lives on beside TensorFlow
KERAS = ("keras", LEGACY)


@contextmanager
def process(program, folder, log, keras="keras", **environment):
    """Start a Python program whose output goes to a file; kill it at the end.

    keras: which one `tf.keras` is, of KERAS.
    """
    (folder / log).write_text("")  # a run in this folder may have gone before
    environment |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    if keras == LEGACY:
        child = Legacy(program, folder, folder / log, environment)
    else:
        child = siblings.start(
            as_program, program, str(folder), env=environment, log=folder / log
        )
    try:
        yield child
    finally:
        child.kill()
        child.wait(DEADLINE)


class Legacy:
    """A new process for tf_keras: a forked one has chosen its `tf.keras` already."""

    def __init__(self, program, folder, log, environment):
        if importlib.util.find_spec(LEGACY) is None and "CI" not in os.environ:
            pytest.skip("tf_keras is not installed: make test installs it")
        environment = os.environ | environment | {"TF_USE_LEGACY_KERAS": "1"}
        with open(log, "wb") as output:
            self._child = subprocess.Popen(
                [sys.executable, "-u", program],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.pid, self.poll = self._child.pid, self._child.poll

    def wait(self, timeout):
        return self._child.wait(timeout)

    def kill(self):
        if self.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)


def run(text, folder, **environment):
    """Run a program to its end in `folder`; return all that it printed.

    environment: variables, and `keras` as `process` takes it.
    """
    (folder / "train.py").write_text(text, "utf-8")
    with process("train.py", folder, "train.log", **environment) as child:
        code = child.wait(DEADLINE)
    output = (folder / "train.log").read_text()
    assert code == 0, output
    return output


def output_of(program, folder):
    """What a program prints, which may end with an error."""
    (folder / "job.py").write_text(program, "utf-8")
    with process("job.py", folder, "job.log") as child:
        child.wait(DEADLINE)
    return (folder / "job.log").read_text("utf-8", "replace")


def run_outside(probe, folder, **environment):
    """Run a probe as a program of its own: its definition, and its last call."""
    section = SECTIONS[probe]
    return run(f"{section.definition}\n{section.calls[-1]}", folder, **environment)


@contextmanager
def workers(text, folder, running=2, keras="keras"):
    """Start the first `running` of two workers; yield them and their TF_CONFIGs."""
    (folder / "worker.py").write_text(text, "utf-8")
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(2)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        hosts = [f"127.0.0.1:{each.getsockname()[1]}" for each in sockets]
    configs = [
        json.dumps(
            {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": index}}
        )
        for index in range(2)
    ]
    with ExitStack() as stack:
        children = [
            stack.enter_context(
                process(
                    "worker.py", folder, f"{index}.log", keras, TF_CONFIG=configs[index]
                )
            )
            for index in range(running)
        ]
        yield children, configs


def run_workers(text, folder, keras="keras"):
    """Run both workers to their ends; return all that they printed, 0 before 1."""
    with workers(text, folder, keras=keras) as (children, _):
        codes = [child.wait(DEADLINE) for child in children]
    output = logs(folder)
    assert codes == [0, 0], output
    return output


def logs(folder):
    """What the workers printed so far, 0 before 1."""
    return "".join(file.read_text() for file in sorted(folder.glob("[01].log")))


def wait_until(ready, children, folder):
    """Wait until `ready()` is true; fail where a child ends before, or time is up."""
    end = time.monotonic() + DEADLINE
    while not ready():
        running = all(child.poll() is None for child in children)
        assert running and time.monotonic() < end, logs(folder)
        time.sleep(0.1)


def in_each_keras(cases):
    """The cases of forms for `fit`: of (form, text, job), one for each Keras.

    A fourth part names the only one.
    """
    return [
        (*case[:3], keras)
        for case in cases
        for keras in KERAS
        if keras in (case[3:] or KERAS)
    ]


def shows_in_fit(probe, which, job, keras, folder, alone=True):
    """Run a job with this Keras; return what it printed.

    Asserts that this is a text of the part on `fit`.
    """
    output = run(job.text, folder, keras=keras)
    shows(probe, which, output, alone, page=FIT)
    return output
