"""What makes a grader's kernel steady: nothing that a verdict needs can be lost.

What checks observe travels with the reply to the cell, which arrives whatever the cell
prints. Output is bounded where it is made, and `exit()` ends its cell, not the kernel.
"""

from __future__ import annotations

import functools
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from operator import is_
from types import CodeType, FunctionType, ModuleType

from IPython.core.getipython import get_ipython
from IPython.core.interactiveshell import ExecutionInfo, InteractiveShell

from course.checks import handing_over
from course.checks.verdicts import OBSERVED_TYPE

SOURCE = "course"  # of the payloads in a reply that are for the grader
MOST_MESSAGES = 1000  # of one cell; a busy cell of the course's own sends below 20
WATCHED = frozenset(
    {
        "base64",
        "builtins",
        "course",
        "io",
        "json",
        "keras",
        "numpy",
        "pickle",
        "zipfile",
    }
    | {"IPython", "ipykernel", "tensorflow", "zlib"}
)
CUT = "\n[More output was cut: it is beyond the limit of grading.]\n"
PARENT = 4  # the part of a message with the header of what it belongs to
EXIT = "exit() ended this cell here; the cells below it were run"
CHECKS = re.compile(r'^check\("', re.MULTILINE)
OF_KERNELS = "builtins.input"  # which ipykernel replaces for every request
MOST_NAMED = 20  # names that were bound anew, of one cell


def prepare(most_bytes: int) -> None:
    """Bound output, and let `exit()` and its like end their cell.

    Args:
        most_bytes: of all that a cell displays; what comes after that is dropped.
    """
    shell = get_ipython()
    handing_over.display = _hand_over
    output = _Output(shell, most_bytes)
    shell.events.register("pre_run_cell", output.begin)
    shell.events.register("pre_run_cell", _give_check_back)
    shell.ask_exit = shell.kernel.do_shutdown = _end_cell
    os.kill = functools.partial(_kill, os.kill)  # how notebooks restart Colab


def send(kind: str, content: object) -> None:
    """Give the grader something, with the reply to the cell that runs.

    Args:
        kind: "observed" or "changed".
        content: plain data.
    """
    payload = {"source": SOURCE, "kind": kind, "content": content}
    get_ipython().payload_manager.write_payload(payload, single=False)


def report_changes() -> None:
    """Send the names of what was bound anew since the last call, if anything was.

    It compares the functions, classes, methods and modules in the modules of
    TensorFlow, Keras, NumPy, the course and what a hand-over uses, by identity, and the
    code of the course's functions: whoever replaces one of them may change what a check
    observes. New names do not count.
    """
    if names := list(_changes())[:MOST_NAMED]:
        send("changed", names)


def _hand_over(data: dict, raw: bool) -> None:
    """Take what a check would display, which may be dropped among other output."""
    send("observed", data[OBSERVED_TYPE])


def _end_cell(*_: object, **__: object) -> None:
    raise SystemExit(EXIT)


def _kill(kill: Callable, pid: int, number: int) -> None:
    if pid == os.getpid() and number in (signal.SIGKILL, signal.SIGTERM):
        _end_cell()
    kill(pid, number)


def _give_check_back(info: ExecutionInfo) -> None:
    """Let `check` be the course's in its cells, whatever else a learner calls so."""
    if CHECKS.search(info.raw_cell):
        from course.checks.checking import check

        get_ipython().user_ns["check"] = check


class _Output:
    """What a cell may display: so many messages and so many bytes."""

    def __init__(self, shell: InteractiveShell, most_bytes: int) -> None:
        self._thread = thread = shell.kernel.iopub_thread
        self._most_bytes, self._session = most_bytes, shell.kernel.session
        self._pass_on = thread.send_multipart
        self.begin()
        thread.send_multipart = self._send
        # without a mark none is dropped: what waits is bounded here
        thread.schedule(lambda: setattr(thread.socket, "sndhwm", 0))

    def begin(self, *_: object) -> None:
        """Count anew."""
        self._messages = self._bytes = 0
        self._cut = False

    def _send(self, parts: list, *args: object, **kwargs: object) -> None:
        topic = bytes(parts[0])
        if topic.startswith(b"comm"):
            return  # widgets are not shown in feedback
        if not topic.endswith(b".status"):
            self._messages += 1
            self._bytes += sum(map(len, parts))
            if self._messages > MOST_MESSAGES or self._bytes > self._most_bytes:
                if not self._cut:
                    self._cut = True
                    self._say_so(json.loads(parts[PARENT]))
                return
        self._pass_on(parts, *args, **kwargs)

    def _say_so(self, parent: dict) -> None:
        content = {"name": "stdout", "text": CUT}
        message = self._session.msg("stream", content, parent=parent)
        self._pass_on(self._session.serialize(message, ident=b"stream.stdout"))


_known: dict[int, Mapping[str, object]] = {}  # of module or class, by id: its names


def _changes() -> Iterator[str]:
    """Yield what was bound anew, as "numpy.allclose", and remember what it is now."""
    for where, owner in _watched():
        namespace, known = _bound(owner, where), _known.get(id(owner))
        if known is None:
            _known[id(owner)] = dict(namespace)
            continue
        same = len(known) == len(namespace)
        if same and all(map(is_, known.values(), namespace.values())):
            continue
        for name, old in known.items():
            full = f"{where}.{name}"
            if namespace.get(name) is not old and _matters(old, where, full):
                yield full
        for name, new in namespace.items():
            if name not in known and getattr(new, "__module__", "") == "__main__":
                yield f"{where}.{name}"
        _known[id(owner)] = dict(namespace)


def _bound(owner: ModuleType | type, where: str) -> Mapping[str, object]:
    """What is bound in a module or class; of the course's functions their code, too."""
    found = vars(owner)
    if not where.startswith("course."):
        return found
    code = {
        f"{name}.__code__": each.__code__
        for name, each in list(found.items())
        if isinstance(each, FunctionType)
    }
    return {**found, **code}


def _watched() -> Iterator[tuple[str, ModuleType | type]]:
    """The watched modules and the classes in them, with their full names."""
    classes: dict[int, type] = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in WATCHED and isinstance(module, ModuleType):
            yield name, module
            for each in list(vars(module).values()):
                if isinstance(each, type):
                    classes[id(each)] = each
    for each in classes.values():
        owner = type.__getattribute__(each, "__module__")
        if isinstance(owner, str) and owner.split(".")[0] in WATCHED:
            yield f"{owner}.{type.__getattribute__(each, '__qualname__')}", each


def _matters(value: object, where: str, full: str) -> bool:
    """Whether a name that was bound to this may not be bound anew."""
    if isinstance(value, ModuleType):  # TensorFlow replaces those that it loads late
        return where.startswith("course.")
    code = isinstance(value, CodeType) or callable(value) or hasattr(value, "__get__")
    return code and full != OF_KERNELS
