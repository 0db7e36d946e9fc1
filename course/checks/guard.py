"""Keeps the checker whole while a submission is graded, and vouches for its verdicts.

A submission runs in the process that also checks it, so it could change the checker.
Before each check cell the guard puts back what was changed, runs the cell as it is
written, and signs the verdict that the unchanged checker gave. Code that searches this
process's memory could still forge a signature: such searches are noted. Everything
noted is for a person to look at; none of it decides anything by itself.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import hmac
import json
import sys
import threading
import types
from collections.abc import Iterator

from course.checks.thread_frames import thread_frames
from course.checks.wholeness import is_ours, named, now, snapshot

MIME_TYPE = "application/vnd.course.guard+json"
SEARCHES = {
    *("gc.get_objects", "gc.get_referrers", "gc.get_referents"),
    *("sys._current_frames", "sys.settrace", "sys.setprofile", "sys.addaudithook"),
}
MOST_NOTES = 100


def install(kernel: object, key: str, exercises: list[str]) -> None:
    """Guard an IPython kernel, before it has run anything.

    Args:
        kernel: an ipykernel IPythonKernel.
        key: hexadecimal; the grader has it too, and nobody else.
        exercises: of this notebook; what judges them is loaded now.
    """
    from course.checks import checking, observing
    from course.checks.declared import find_exercise
    from course.checks.exercises import UnknownName

    for exercise in exercises:
        with contextlib.suppress(UnknownName):  # composed by the notebook itself
            find_exercise(exercise)
    guard = Guard(kernel, bytes.fromhex(key), checking, observing)
    begin, listen, judged = guard.do_execute, guard.listen, guard.deadline

    # functions, since a bound method would hand out the guard as its __self__
    async def do_execute(code: str, *arguments: object, **options: object):
        return await begin(code, *arguments, **options)

    def verdict_on(*arguments: object, **options: object) -> object:
        return listen(*arguments, **options)

    def deadline(*seconds: float) -> contextlib.AbstractContextManager:
        return judged(*seconds)

    kernel.do_execute = do_execute
    checking.verdict_on, observing.deadline = verdict_on, deadline
    guard.begin()


def signature(signer: hmac.HMAC, verdict: object) -> str:
    """The hexadecimal signature of a verdict's data; None where there was none."""
    signer = signer.copy()
    signer.update(json.dumps(verdict, sort_keys=True).encode())
    return signer.hexdigest()


def new_signer(key: bytes) -> hmac.HMAC:
    """What signs with `key`."""
    return hmac.new(key, digestmod=hashlib.sha256)


class Guard:
    """Stands around a kernel's `do_execute`, and around the checker's judging."""

    def __init__(
        self,
        kernel,
        key: bytes,
        checking: types.ModuleType,
        observing: types.ModuleType,
    ) -> None:
        self._kernel, self._shell = kernel, kernel.shell
        self._signer = new_signer(key)
        self._check, self._judge = checking.check, checking.verdict_on
        self._deadline, self._execute = observing.deadline, kernel.do_execute
        self._verdict: dict | None = None
        self._noted: list[str] = []
        self._lists = self._transformers()
        # kept here, they are out of reach of whoever replaces them in class or module
        self._now, self._named, self._is_check = now, named, is_check
        self._signature, self._threads = signature, _foreign_threads
        for name in ("_restore", "_note", "_transformers", "_report"):
            setattr(self, name, getattr(self, name))

    def begin(self) -> None:
        """Remember how everything is now."""
        self._known = tuple(snapshot())
        sys.addaudithook(self._audit)

    async def do_execute(self, code: str, *arguments: object, **options: object):
        """Execute a cell as the kernel would; a check cell guarded."""
        if not self._is_check(code):
            return await self._execute(code, *arguments, **options)
        self._restore()
        if self._shell.user_ns.get("check") is not self._check:
            if "check" in self._shell.user_ns:
                self._note("the name check stood for something else")
            self._shell.user_ns["check"] = self._check
        if self._threads():
            self._note("code of the notebook ran in another thread during a check")
        self._verdict = None
        reply = await self._execute(code, *arguments, **options)
        with contextlib.suppress(Exception):  # a verdict without report is none
            self._report()
        return reply

    def _report(self) -> None:
        """Say to the grader what the check cell came to, signed."""
        self._restore()
        report = {
            "verdict": self._verdict,
            "noted": list(dict.fromkeys(self._noted)),
            "signature": self._signature(self._signer, self._verdict),
        }
        self._kernel.send_response(
            self._kernel.iopub_socket,
            "display_data",
            {"data": {MIME_TYPE: report}, "metadata": {}},
        )

    def listen(self, *arguments: object, **options: object) -> object:
        """Judge; the verdict counts only where nothing was replaced meanwhile."""
        verdict = self._judge(*arguments, **options)
        self._verdict = None if self._restore() else verdict.data()
        return verdict

    @contextlib.contextmanager
    def deadline(self, *seconds: float) -> Iterator[None]:
        """The checker's deadline; what the answer replaced is put back at its end."""
        try:
            with self._deadline(*seconds):
                yield
        finally:
            self._restore()

    def _restore(self) -> bool:
        """Put back what is no longer as it was, note it, and say whether there was."""
        whole = True
        for owner, name, value, put_back in self._known:
            if self._now(owner, name) is not value:
                whole = False
                with contextlib.suppress(Exception):  # a kernel must always answer
                    put_back()
                self._note(f"{self._named(owner)}.{name} was replaced")
        if self._transformers() != self._lists:
            self._note("cells were rewritten before they ran (IPython's transformers)")
            for (owner, name), kept in self._lists.items():
                setattr(owner, name, list(kept))
        return not whole

    def _transformers(self) -> dict[tuple[object, str], list]:
        """All lists of functions that rewrite a cell's code: owner, name -> list."""
        manager = self._shell.input_transformer_manager
        names = ("cleanup_transforms", "line_transforms", "token_transformers")
        owners = [(manager, name) for name in names]
        owners += [(self._shell, "ast_transformers")]
        owners += [(self._shell, "input_transformers_post")]
        return {(owner, name): list(getattr(owner, name)) for owner, name in owners}

    def _note(self, what: str) -> None:
        if len(self._noted) < MOST_NOTES and what not in self._noted:
            self._noted.append(what)

    def _audit(self, event: str, arguments: tuple) -> None:
        """Note searches of memory and changed functions, unless the course does it."""
        if event in SEARCHES:
            what = f"code called {event}"
        elif event == "object.__setattr__" and is_ours(arguments[0]):
            what = f"{named(arguments[0])}.{arguments[1]} was replaced"
        else:
            return
        caller = sys._getframe(1).f_code.co_filename
        if _of_the_notebook(caller):
            self._note(what)


def _of_the_notebook(file: str) -> bool:
    """Whether code from this file is a cell's, or was made from a text."""
    return "ipykernel_" in file or file.startswith("<string>")


def _foreign_threads() -> bool:
    """Whether other threads run code of the notebook now."""
    for ident, frame in thread_frames().items():
        while frame is not None and ident != threading.get_ident():
            if _of_the_notebook(frame.f_code.co_filename):
                return True
            frame = frame.f_back
    return False


def is_check(code: str) -> bool:
    """Whether a cell's code is one call such as check("02/my_step", my_step)."""
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return False
    match body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="check"), args=args))]:
            return bool(args) and isinstance(args[0], ast.Constant)
    return False
