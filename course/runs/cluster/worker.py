"""The inside of a cluster's process: runs one function, and tells how it is getting on.

The parent reads four files in the cluster's folder: `<name>.beats`, a line of JSON for
each tenth of a second and each `note`; `<name>.notes`, which grows with each `note`;
`<name>.end`, written once, when the function is over; and `<name>.stack`, written
whenever the process gets SIGUSR1, even while it waits inside TensorFlow and no Python
can run.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import linecache
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import cloudpickle

from course.checks.iterators import untuned
from course.checks.thread_frames import top_frame

BEAT = 0.1  # seconds between two beats
# of a server: on one core it would have one, which a step that waits would block
THREADS = 4
LIBRARIES = {"tensorflow": "TensorFlow", "keras": "Keras"}  # package -> its name
COURSE = str(Path(__file__).parents[2]) + os.sep  # the folder of this package
GRACE = 2.0  # seconds after the longest that the parent waits, at which it ends itself

_facts: dict[str, object] = {}
_hearts: list[_Heart] = []  # at most one


@dataclass(frozen=True)
class Order:
    """What one process is to do.

    call: the cloudpickled (function, arguments).
    sources: the text of files that are not on disk, such as a notebook's cells: without
        it AutoGraph converts nothing.
    """

    name: str
    folder: str
    seconds: float
    call: bytes
    sources: dict[str, str]


def note(**facts: object) -> None:
    """Add facts, such as `step=3`, to what this process tells from now on.

    Outside a cluster's process this does nothing that anybody sees.
    """
    _facts.update(facts)
    for heart in _hearts:
        heart.beat()
        heart.notes.write(".\n")


def serve() -> None:
    """Serve as the parameter server, or its worker, that TF_CONFIG names; for ever."""
    import tensorflow as tf

    found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    tf.distribute.Server(
        found.cluster_spec(),
        job_name=found.task_type,
        task_index=found.task_id,
        protocol="grpc",
        config=tf.compat.v1.ConfigProto(inter_op_parallelism_threads=THREADS),
        start=True,
    )
    note(serves=True)
    threading.Event().wait()


def work(order: Order) -> None:
    """Carry out the order, then stay until the parent kills this process.

    A process that left at once would take with it what others still read from it.
    """
    faulthandler.dump_traceback_later(order.seconds + GRACE, exit=True)
    for file, text in order.sources.items():
        lines = text.splitlines(keepends=True)
        linecache.cache[file] = (len(text), None, lines, file)
    place = Path(order.folder) / order.name.replace(" ", "_")
    heart = _Heart(place.with_suffix(".beats"), set(order.sources))
    heart.start()
    _hearts.append(heart)
    stack = place.with_suffix(".stack").open("w")
    faulthandler.register(signal.SIGUSR1, file=stack, all_threads=False)
    end: dict[str, object] = {"value": None, "sentences": (), "error": ""}
    try:
        function, arguments = cloudpickle.loads(order.call)
        heart.files.add(_file_of(function))
        with untuned():  # a wait for tuning looks like a wait for another worker
            end["value"] = function(*arguments)
        outcome = "returned"
    except SystemExit:
        heart.beat()
        raise
    except BaseException as error:
        from course.checks.failures import StepFailed, explain

        outcome = "raised"
        own = (isinstance(error, StepFailed) and error.__cause__) or error
        heart.beat(_own_frames(error, heart.files))
        end["error"] = type(own).__name__
        end["sentences"] = explain(error, function)
    heart.over = True
    _hand_back(place.with_suffix(".end"), {"outcome": outcome, **end})
    sys.stdout.flush()
    sys.stderr.flush()
    threading.Event().wait()


class _Heart(threading.Thread):
    """Writes a beat again and again: the time, the own lines we are in, the facts."""

    def __init__(self, path: Path, files: set[str]) -> None:
        super().__init__(daemon=True)
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self.notes = path.with_suffix(".notes").open("a", buffering=1)
        self._lock = threading.Lock()
        self.files = files
        self.over = False

    def run(self) -> None:
        while not self.over:
            self.beat()
            time.sleep(BEAT)

    def beat(self, lines: list | None = None) -> None:
        with self._lock:
            if self.over:
                return
            inside = ""
            if lines is None:
                frame = top_frame(threading.main_thread())
                lines = _lines(frame, self.files)
                inside = library_in(_files(frame), self.files)
            told = {
                "at": time.time(),
                "lines": lines,
                "facts": dict(_facts),
                "inside": inside,
            }
            self._file.write(json.dumps(told, default=str) + "\n")


def library_in(files: Iterable[str], own: Collection[str]) -> str:
    """Return the library that a thread is inside of: "TensorFlow", "Keras", or "".

    Args:
        files: the source files of its frames, innermost first. Those of Python's own
            modules, such as a wait for another thread, say nothing.
        own: the learner's files; what they call themselves is not inside a library.
    """
    for file in files:
        if file in own or file.startswith(COURSE):
            return ""
        parts = Path(file).parts
        for package, name in LIBRARIES.items():
            if package in parts:
                return name
    return ""


def _files(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield frame.f_code.co_filename
        frame = frame.f_back


def _lines(frame: FrameType | None, files: set[str]) -> list[tuple[str, int, str]]:
    """Return (function, line, text) of the frames in `files`, outermost first."""
    found = []
    while frame is not None:
        file, number = frame.f_code.co_filename, frame.f_lineno
        if file in files:
            text = linecache.getline(file, number).strip()
            found.append((frame.f_code.co_name, number, text))
        frame = frame.f_back
    return found[::-1]


def _own_frames(error: BaseException, files: set[str]) -> list[tuple[str, int, str]]:
    found, step = [], error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in files:
            text = linecache.getline(code.co_filename, step.tb_lineno).strip()
            found.append((code.co_name, step.tb_lineno, text))
        step = step.tb_next
    return found


def _file_of(function: Callable) -> str:
    code = getattr(function, "__code__", None)
    return code.co_filename if code else ""


def _hand_back(path: Path, end: dict[str, object]) -> None:
    try:
        data = cloudpickle.dumps(end)
    except Exception as error:
        sentence = (
            "What the function returns can't be sent from one process to another "
            f"({error}). Return numbers, strings, lists, or NumPy arrays."
        )
        told = {"outcome": "raised", "value": None, "error": type(error).__name__}
        data = cloudpickle.dumps({**told, "sentences": (sentence,)})
    waiting = path.with_suffix(".part")
    waiting.write_bytes(data)
    with contextlib.suppress(OSError):  # the folder is gone: nobody reads it any more
        os.replace(waiting, path)
