"""The same failure in PyTorch and JAX: each room's blocks, read and verified."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass, fields
from pathlib import Path

from autograder.answers.changes import Changes, change
from autograder.places import CourseError, Places
from autograder.toml_files import read_toml

FRAMEWORKS = {"pytorch": "PyTorch", "jax": "JAX"}  # a table, and in in_NAME.py -> shown
ANYTHING = "..."  # in what a program prints: any text, on one line
LINES, MORE, COLUMNS = 15, 2, 88  # of a broken program; a mended one may have more
NEEDED = ("words", "mends", "broken_prints", "mended_prints", "probe", "probe_prints")


@dataclass(frozen=True)
class Block:
    """One failure in one framework: two programs, or why it cannot happen there.

    cannot: why not; all others but framework and see are empty then.
    words: what happens, for people. mends: pairs of old code and new code.
    broken_prints, mended_prints: all lines that its processes print, rank by rank, and
    the error of the first that ends with one; "..." stands for any text.
    probe: lines that would have shown it. probe_prints: what they add to what the
    broken and the mended program print. probe_before: how the line begins that they
    stand before; "" where they stand at the end. processes: of the program. restarts:
    how often all are started again where one has failed, as `torchrun` does.
    """

    framework: str
    cannot: str = ""
    words: str = ""
    broken: str = ""
    mended: str = ""
    mends: tuple[tuple[str, str], ...] = ()
    broken_prints: str = ""
    mended_prints: str = ""
    probe: str = ""
    probe_prints: tuple[str, ...] = ()
    probe_before: str = ""
    processes: int = 1
    restarts: int = 0
    see: str = ""

    @property
    def name(self) -> str:
        """The framework as people write it."""
        return FRAMEWORKS[self.framework]

    def probed(self, program: str) -> str:
        """One of its two programs, with the probe in its place."""
        if not self.probe_before:
            return f"{program.rstrip()}\n{self.probe.strip()}\n"
        lines = program.splitlines(keepends=True)
        (place,) = _beginning(program, self.probe_before)
        indent = lines[place][: -len(lines[place].lstrip())]
        probe = textwrap.indent(self.probe.strip() + "\n", indent)
        return "".join([*lines[:place], probe, *lines[place:]])


def read_elsewhere(places: Places, name: str) -> dict[str, Block]:
    """Return framework -> block of the room of a notebook; {} where it has none.

    Raises:
        CourseError: a field is missing, too much, or does not fit its program.
    """
    return read_folder(places.source(name).parent / "elsewhere")


def read_folder(folder: Path) -> dict[str, Block]:
    """As `read_elsewhere`, for the folder that holds the files."""
    file = folder / "elsewhere.toml"
    tables = read_toml(file)
    if folder.is_dir() and set(tables) != set(FRAMEWORKS):
        raise CourseError(
            f"{file}: it needs the tables {', '.join(FRAMEWORKS)}, and no other; it "
            f"has {', '.join(tables) or 'none'}."
        )
    return {
        framework: _block(framework, tables[framework], folder)
        for framework in FRAMEWORKS
        if framework in tables
    }


def _block(framework: str, table: dict, folder: Path) -> Block:
    where = f"{folder / 'elsewhere.toml'}, {framework}"
    program = folder / f"in_{framework}.py"
    cannot = bool(table.get("cannot"))
    needed = ("cannot",) if cannot else NEEDED
    if missing := [each for each in needed if not table.get(each)]:
        raise CourseError(f"{where}: it lacks {', '.join(missing)}.")
    known = {field.name for field in fields(Block)}
    known -= {"framework", "broken", "mended"}
    known = {"cannot", "see"} if cannot else known - {"cannot"}
    if surplus := sorted(set(table) - known):
        raise CourseError(f"{where}: it can't have {', '.join(surplus)}.")
    if program.is_file() == cannot:
        raise CourseError(
            f"{where}: {program.name} and `cannot` exclude each other, and one of them "
            "is needed."
        )
    if cannot:
        return Block(framework, **table)
    broken = program.read_text(encoding="utf-8")
    mends = _mends(table["mends"], where)
    mended = change(broken, mends, where)
    _verify_size(broken, LINES, f"{program}")
    _verify_size(mended, LINES + MORE, f"{where}: the mended program")
    if len(table["probe_prints"]) != 2:
        raise CourseError(f"{where}: probe_prints is [broken, mended].")
    before = table.get("probe_before", "")
    for each in (broken, mended) if before else ():
        if len(_beginning(each, before)) != 1:
            raise CourseError(
                f"{where}: not one line of both programs begins with {before!r}."
            )
    table = {"processes": 2 if framework == "pytorch" else 1, **table}
    table["mends"], table["probe_prints"] = tuple(mends), tuple(table["probe_prints"])
    block = Block(framework, broken=broken, mended=mended, **table)
    _verify_python(block, where)
    return block


def _mends(pairs: list, where: str) -> Changes:
    try:
        return [(str(old), str(new)) for old, new in pairs]
    except (TypeError, ValueError):
        raise CourseError(f"{where}: mends is [[old code, new code], ...].") from None


def _verify_size(program: str, most: int, where: str) -> None:
    lines = program.splitlines()
    if len(lines) > most or max(map(len, lines), default=0) > COLUMNS:
        raise CourseError(
            f"{where} has {len(lines)} lines, the longest of {max(map(len, lines))} "
            f"columns: {most} of {COLUMNS} are the most."
        )


def _verify_python(block: Block, where: str) -> None:
    try:
        ast.parse(block.probed(block.broken))
    except SyntaxError as error:
        raise CourseError(
            f"{where}: with the probe, it is no Python: {error}"
        ) from None


def _beginning(program: str, words: str) -> list[int]:
    """The places of the lines that begin so, but for their indent."""
    lines = program.splitlines()
    return [i for i, line in enumerate(lines) if line.lstrip().startswith(words)]
