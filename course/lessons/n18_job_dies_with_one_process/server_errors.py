"""Errors that jobs stop with, raised for real in one process beside a server."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import tensorflow as tf

from course.checks.failures import StepFailed, sentences_of
from course.runs.cluster import Cluster, serve
from course.runs.cluster.gates import Gate, Gates

SERVER = "ps 0"
LOST = ("UnavailableError", "AbortedError", "DeadlineExceededError")
PATIENCE = 6.0  # seconds until a server that was started again must have answered
SHOWN = 44  # characters of an error's words


@dataclass(frozen=True)
class Seen:
    """An error that was raised.

    kind: the name of its class.
    words: what it says, shortened.
    how: what was done to raise it.
    runtime: whether it is a RuntimeError.
    answer: what a function says about it.
    """

    kind: str
    words: str
    how: str
    runtime: bool
    answer: object


def errors_seen(
    function: Callable[[BaseException], object] | None = None,
) -> list[Seen]:
    """Raise errors in a process beside a server that is killed and started again.

    Args:
        function: called with each of them, where it is raised, and with some more.

    Raises:
        StepFailed: the function stopped with an error of its own, or had no end.
    """
    with Cluster({"chief": 1, "ps": 1}) as cluster:
        cluster.start(serve, only=[SERVER])
        cluster.wait_until(lambda: cluster.serves(SERVER))

        def again() -> None:
            cluster.start(serve, only=[SERVER])
            while not cluster.serves(SERVER):
                time.sleep(0.01)

        with Gates(1, [lambda: cluster.kill(SERVER), again]) as gates:
            cluster.start(_raise_all, function, gates.gate, only=["chief 0"])
            cluster.wait_until(lambda: "chief 0" not in cluster.running())
        end = cluster.finish()["chief 0"]
    if end.outcome != "returned":
        raise StepFailed(end.sentences or (f"{str(end).capitalize()}.",))
    return end.value


def _raise_all(function: Callable | None, gate: Gate) -> list[Seen]:
    found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    tf.config.experimental_connect_to_cluster(
        found.cluster_spec(), job_name="chief", task_index=0
    )
    _add_on_server()
    own = _OWN if function is None else _OWN | _MORE
    seen = [_seen(how, provoke, function) for how, provoke in own.items()]
    gate.wait(0)
    seen.append(_seen("a server was killed", _add_on_server, function))
    gate.wait(1)
    seen.append(_seen("a server came back, empty", _until_aborted, function))
    return seen


def _seen(how: str, provoke: Callable, function: Callable | None) -> Seen:
    try:
        provoke()
    except BaseException as error:
        answer = None
        if function is not None:
            with sentences_of(function):
                answer = _asked(function, error)
        words = " ".join(str(error).split()).removeprefix("Graph execution error: ")
        short = words if len(words) <= SHOWN else words[: SHOWN - 3] + "..."
        kind = type(error).__name__.removeprefix("_")
        return Seen(kind, short, how, isinstance(error, RuntimeError), answer)
    raise RuntimeError(f"no error came where {how}")


def _asked(function: Callable, error: BaseException) -> object:
    try:
        return function(error)
    except (SystemExit, KeyboardInterrupt) as own:
        name = type(own).__name__
        said = f"For {type(error).__name__}, your function stopped with {name}."
        raise StepFailed(("Return True or False.", said)) from own


def _add_on_server() -> None:
    with tf.device("/job:ps/task:0"):
        (tf.constant(1.0) + tf.constant(2.0)).numpy()


def _until_aborted() -> None:
    """Ask the new server; until the connection is there, nobody answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            _add_on_server()
        except tf.errors.UnavailableError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def _too_late() -> None:
    """Wait for something that nobody sends, a tenth of a second at most."""
    graph = tf.Graph()
    with graph.as_default():
        taken = tf.queue.FIFOQueue(1, tf.float32, shapes=[[]]).dequeue()
    options = tf.compat.v1.RunOptions(timeout_in_ms=100)
    with tf.compat.v1.Session(graph=graph) as session:
        session.run(taken, options=options)


def _damaged() -> None:
    file = Path(tempfile.mkdtemp()) / "rows"
    file.write_bytes(bytes(40))
    list(tf.data.TFRecordDataset(str(file)))


def _two_kinds() -> None:
    # raised between workers only (notebook 17 shows a real one), so it is made here
    raise tf.errors.InternalError(
        None, None, "Collective instance 100 expected type 1 but got type 19"
    )


def _closed() -> None:
    queue = tf.queue.FIFOQueue(1, tf.float32)
    queue.close()
    queue.enqueue(1.0)


def _interrupted() -> None:
    # jobs in a shell's background ignore it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1.0)


_OWN: dict[str, Callable[[], object]] = {
    "an answer came too late": _too_late,
    "shapes that do not fit": lambda: tf.reshape(tf.range(2), [3]),
    "a file is not there": lambda: tf.io.read_file("/no/such/file"),
    "a folder in place of a file": lambda: tf.io.read_file("/"),
    "a damaged file of rows": _damaged,
    "more memory than there is": lambda: tf.fill([2**46], 1.0),
    "two dtypes in an all-reduce": _two_kinds,
    "a queue that was closed": _closed,
    "a batch that is no number": lambda: float(tf.constant([1.0, 2.0])),
    "a strategy made too late": tf.distribute.MultiWorkerMirroredStrategy,
    "a text that is no JSON": lambda: json.loads("{'worker'}"),
    "sys.exit in the loop": lambda: sys.exit(1),
    "somebody pressed Ctrl-C": _interrupted,
}
_MORE: dict[str, Callable[[], object]] = {
    "a file that open does not find": Path("/no/such/file").read_text,
    "a name that is not there": lambda: {}["w"],
    "a module that is not there": lambda: importlib.import_module("no_such_module"),
    "a dataset that has ended": lambda: iter(tf.data.Dataset.range(0)).get_next(),
}
