"""Read answers that are another function of their file, changed in a few places."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Mapping

from autograder.places import CourseError

Changes = list[tuple[str, str]]
SAYS = '@changed(function, ("old code", "new code"), ...)'


def change_of(node: ast.stmt) -> ast.Call | None:
    """Return the `@changed(...)` above a function, or None where there is none."""
    for each in getattr(node, "decorator_list", []):
        match each:
            case ast.Call(func=ast.Name(id="changed")):
                return each
    return None


def read_change(
    call: ast.Call, functions: Mapping[str, ast.FunctionDef], where: str
) -> tuple[ast.FunctionDef, Changes]:
    """Return the function that is changed, and what is written for what.

    Raises CourseError where the call is not as it must be, or names no function of
    the file that has code of its own.
    """
    try:
        base, *pairs = call.args
        changes = [(old, new) for old, new in map(ast.literal_eval, pairs)]
        said = [textwrap.dedent(text).strip() for pair in changes for text in pair]
    except (ValueError, TypeError, AttributeError):
        raise CourseError(f"{where}: write {SAYS}.") from None
    if not pairs or call.keywords or not isinstance(base, ast.Name):
        raise CourseError(f"{where}: write {SAYS}.")
    if base.id not in functions or change_of(functions[base.id]):
        raise CourseError(
            f"{where}: it changes {base.id!r}, which must be a function of this file "
            "with code of its own, not a changed one."
        )
    return functions[base.id], list(zip(said[::2], said[1::2], strict=True))


def change(source: str, changes: Changes, where: str) -> str:
    """Return the source with each old text, which must stand there once, made new.

    Texts of several lines are indented as the line that the old one begins in is;
    a line that is left with nothing goes. Raises CourseError where a text is not there
    once, nothing changes or the outcome is no Python.
    """
    before = source
    for old, new in changes:
        found = _places(source, old)
        if len(found) != 1:
            raise CourseError(
                f"{where}: {old!r} stands {len(found)} times in the code it changes, "
                "and must stand there once: write more or less of the line."
            )
        ((start, end, indent),) = found
        source = source[:start] + new.replace("\n", "\n" + indent) + source[end:]
        lines = source.split("\n")
        source = "\n".join(x for x in lines if not x.isspace())
    try:
        differs = ast.dump(ast.parse(source)) != ast.dump(ast.parse(before))
    except SyntaxError as error:
        raise CourseError(
            f"{where}: changed, line {error.lineno} is no Python: {error.msg}, "
            f"{(error.text or '').strip()!r}."
        ) from None
    if not differs:
        raise CourseError(f"{where}: what it changes leaves the code as it was.")
    return source


def _places(source: str, old: str) -> list[tuple[int, int, str]]:
    """Where an old text stands: its start, its end, the indent of its first line."""
    first, *others = (re.escape(line) for line in old.split("\n"))
    found = []
    for each in re.finditer(first, source) if old else ():
        line = source[source.rfind("\n", 0, each.start()) + 1 :]
        indent = line[: len(line) - len(line.lstrip(" "))]
        rest = "".join(f"\n{indent}{other}" if other else "\n" for other in others)
        if whole := re.compile(first + rest).match(source, each.start()):
            found.append((whole.start(), whole.end(), indent))
    return found
