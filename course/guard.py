"""Keeps the checker whole while a submission is graded, and vouches for its verdicts.

A submission runs in the process that also checks it, so it could change the checker.
Before each check cell the guard puts back what was changed, runs the cell as it is
written, and signs the verdict that the unchanged checker gave. Code that searches this
process's memory could still forge a signature: such searches are noted. Everything
noted is for a person to look at; none of it decides anything by itself.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import hashlib
import hmac
import json
import sys
import types
from collections.abc import Callable, Iterator

MIME_TYPE = "application/vnd.course.guard+json"
SEARCHES = {"gc.get_objects", "gc.get_referrers", "sys.settrace", "sys.setprofile"}
IPYTHONS = {"display", "get_ipython", "input"}  # IPython puts them into builtins
MOST_NOTES = 100
_PLAIN = (int, float, str, bytes, tuple, frozenset, type(None))


def install(kernel: object, key: str, exercises: list[str]) -> None:
    """Guard an IPython kernel, before it has run anything.

    Args:
        kernel: an ipykernel IPythonKernel.
        key: hexadecimal; the grader has it too, and nobody else.
        exercises: of this notebook; what judges them is loaded now.
    """
    from course import checking
    from course.exercises import find_exercise

    for exercise in exercises:
        find_exercise(exercise)
    Guard(kernel, bytes.fromhex(key), checking)


def signature(signer: hmac.HMAC, verdict: object) -> str:
    """The hexadecimal signature of a verdict's data; None where there was none."""
    signer = signer.copy()
    signer.update(json.dumps(verdict, sort_keys=True).encode())
    return signer.hexdigest()


def new_signer(key: bytes) -> hmac.HMAC:
    """What signs with `key`."""
    return hmac.new(key, digestmod=hashlib.sha256)


class Guard:
    """Stands around a kernel's `do_execute`."""

    def __init__(self, kernel, key: bytes, checking: types.ModuleType) -> None:
        self._kernel, self._shell = kernel, kernel.shell
        self._signer = new_signer(key)
        self._check, self._judge = checking.check, checking.judge
        self._verdicts: list[dict] = []
        self._noted: list[str] = []
        checking.judge = self._listen
        self._lists = {
            name: list(getattr(self._shell, name))
            for name in ("ast_transformers", "input_transformers_post")
        }
        self._lists["input_transformer_manager"] = _transformers(self._shell)
        self._known = list(_snapshot())
        self._execute = kernel.do_execute
        kernel.do_execute = self.do_execute
        sys.addaudithook(self._audit)

    async def do_execute(self, code: str, *arguments: object, **options: object):
        """Execute a cell as the kernel would; a check cell guarded."""
        if not is_check(code):
            return await self._execute(code, *arguments, **options)
        self._restore()
        if self._shell.user_ns.get("check") is not self._check:
            if "check" in self._shell.user_ns:
                self._note("the name check stood for something else")
            self._shell.user_ns["check"] = self._check
        self._verdicts.clear()
        reply = await self._execute(code, *arguments, **options)
        self._restore()
        verdict = self._verdicts[-1] if self._verdicts else None
        report = {
            "verdict": verdict,
            "noted": list(dict.fromkeys(self._noted)),
            "signature": signature(self._signer, verdict),
        }
        self._kernel.send_response(
            self._kernel.iopub_socket,
            "display_data",
            {"data": {MIME_TYPE: report}, "metadata": {}},
        )
        return reply

    def _listen(self, *arguments: object, **options: object) -> object:
        verdict = self._judge(*arguments, **options)
        self._verdicts.append(verdict.data())
        return verdict

    def _restore(self) -> None:
        """Put back what is no longer as it was, and note it."""
        for owner, name, value, put_back in self._known:
            if _now(owner, name) is not value:
                put_back()
                self._note(f"{_named(owner)}.{name} was replaced")
        manager = self._shell.input_transformer_manager
        now = {
            **{
                name: list(getattr(self._shell, name))
                for name in ("ast_transformers", "input_transformers_post")
            },
            "input_transformer_manager": _transformers(self._shell),
        }
        if now != self._lists:
            self._note("cells were rewritten before they ran (IPython's transformers)")
            for name in ("ast_transformers", "input_transformers_post"):
                getattr(self._shell, name)[:] = self._lists[name]
            for name, value in self._lists["input_transformer_manager"].items():
                getattr(manager, name)[:] = value

    def _note(self, what: str) -> None:
        self._noted.append(what)

    def _audit(self, event: str, arguments: tuple) -> None:
        """Note searches of memory and changed functions, unless the course does it."""
        if event in SEARCHES:
            what = f"code called {event}"
        elif event == "object.__setattr__" and _is_ours(arguments[0]):
            what = f"{_named(arguments[0])}.{arguments[1]} was replaced"
        else:
            return
        caller = sys._getframe(1).f_code.co_filename
        by_submission = "ipykernel_" in caller or caller.startswith("<")
        if by_submission and len(self._noted) < MOST_NOTES:
            self._note(what)


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


def _transformers(shell: object) -> dict[str, list]:
    manager = shell.input_transformer_manager
    names = ("cleanup_transforms", "line_transforms", "token_transformers")
    return {name: list(getattr(manager, name)) for name in names}


def _snapshot() -> Iterator[tuple[object, str, object, Callable[[], None]]]:
    """All that the checker is made of: owner, name, value, how to put it back."""
    import numpy as np
    import tensorflow as tf

    for module in (builtins, np, np.linalg, tf, tf.math, tf.distribute):
        for name, value in list(vars(module).items()):
            if callable(value) and name not in IPYTHONS:
                yield _entry(module, name, value)
    seen: set[int] = set()
    for name, module in list(sys.modules.items()):
        if name.startswith("course."):
            yield from _parts(module, seen)


def _parts(owner: object, seen: set[int]) -> Iterator[tuple]:
    """The attributes of a module, class, instance or function of the course."""
    if id(owner) in seen:
        return
    seen.add(id(owner))
    if isinstance(owner, types.FunctionType):
        for name in ("__code__", "__defaults__", "__kwdefaults__"):
            yield _entry(owner, name, getattr(owner, name))
        return
    for name, value in list(vars(owner).items()):
        judges = callable(value) or dataclasses.is_dataclass(value)
        constant = isinstance(value, _PLAIN) and (
            name.isupper() or not isinstance(owner, types.ModuleType)
        )
        if (judges or constant or isinstance(value, property)) and name != "__doc__":
            yield _entry(owner, name, value)
        for each in value if isinstance(value, list | tuple) else (value,):
            if _is_ours(each) and (
                isinstance(each, type | types.FunctionType)
                or (dataclasses.is_dataclass(each) and hasattr(each, "__dict__"))
            ):
                yield from _parts(each, seen)


def _entry(owner: object, name: str, value: object) -> tuple:
    def put_back() -> None:
        if dataclasses.is_dataclass(owner) and not isinstance(owner, type):
            object.__setattr__(owner, name, value)  # frozen ones too
        else:
            setattr(owner, name, value)

    return owner, name, value, put_back


def _now(owner: object, name: str) -> object:
    if isinstance(owner, types.FunctionType):
        return getattr(owner, name)
    return vars(owner).get(name)


def _is_ours(value: object) -> bool:
    return str(getattr(value, "__module__", "")).startswith("course.")


def _named(owner: object) -> str:
    return str(getattr(owner, "__qualname__", getattr(owner, "__name__", type(owner))))
