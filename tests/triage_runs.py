"""Programs as child processes with a deadline; none outlives the test that began it."""

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

from triage_page import SECTIONS

DEADLINE = 150  # seconds for a run; the slowest takes about 20


@contextmanager
def process(program, folder, log, **environment):
    """Start a Python program whose output goes to a file; kill it at the end."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **environment}
    environment |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    with (folder / log).open("w") as file:
        child = subprocess.Popen(
            [sys.executable, program],
            cwd=folder,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def run(text, folder, **environment):
    """Run a program to its end in `folder`; return all that it printed."""
    (folder / "train.py").write_text(text, "utf-8")
    with process("train.py", folder, "train.log", **environment) as child:
        child.wait(DEADLINE)
    output = (folder / "train.log").read_text()
    assert child.returncode == 0, output
    return output


def run_outside(probe, folder, **environment):
    """Run a probe as a program of its own: its definition, and its last call.

    Without its room there is nothing to run: it prints nothing.
    """
    if probe not in SECTIONS:
        return ""
    section = SECTIONS[probe]
    return run(f"{section.definition}\n{section.calls[-1]}", folder, **environment)


@contextmanager
def workers(text, folder, running=2):
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
                process("worker.py", folder, f"{index}.log", TF_CONFIG=configs[index])
            )
            for index in range(running)
        ]
        yield children, configs


def run_workers(text, folder):
    """Run both workers to their ends; return all that they printed, 0 before 1."""
    with workers(text, folder) as (children, _):
        for child in children:
            child.wait(DEADLINE)
    output = logs(folder)
    assert [child.returncode for child in children] == [0, 0], output
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
