"""The probes of one failure: words of its room's triage.md, code of its notebook."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from autograder.places import CourseError
from autograder.source import Cell, Source

QUESTIONS = (1, 2, 3, 4, 5)
CODE = "{{ code }}"  # stands for the probe's code in its section
IN_FIT = "#### With `fit`"  # heads a section's last part: how a job with `fit` uses it


@dataclass(frozen=True)
class Probe:
    """A section of triage.md; its header has the other fields, each by its name.

    source: the notebook whose probe it is.
    code: its imports and its function; text: the whole section, with the code.
    forms: its forms for `fit`, each with its imports; none where it needs no other one.
    question: which of the five questions it answers; None for another one.
    order: in its question, later than the ones with a smaller number.
    see: place in the table of what is seen -> a line that leads here.
    say: how that line names the probe, {} being its link.
    also: another probe -> how this one is named behind it, in each of its lines.
    """

    name: str
    source: Source
    code: str
    text: str
    forms: tuple[str, ...] = ()
    question: int | None = None
    order: int = 0
    see: Mapping[int, str] = field(default_factory=dict)
    say: str = "{}"
    also: Mapping[str, str] = field(default_factory=dict)


def read_probes(source: Source) -> list[Probe]:
    """Return the probes of a notebook, as its room's triage.md has them.

    Raises:
        CourseError: triage.md lacks a probe, or what it says does not fit.
    """
    path = source.path.with_name("triage.md")
    codes = {
        _functions(cell)[-1].name: probe_code(cell)
        for cell in source.cells
        if re.fullmatch(r"probe(-(?!use$)\w+)?", cell.id) and _functions(cell)
    }
    header, sections = _parts(path)
    for name in codes:
        if name not in sections:
            raise CourseError(
                f"{path} leaves out the probe {name} of notebook "
                f"{source.header.number}. Give it a section: a heading '### {name}', "
                f"a line '{CODE}' for its code, what a healthy and a broken job "
                f"print; and in the header of {path.name}, what one sees who needs it."
            )
    return [
        _probe(name, text, header.get(name), codes.get(name), source, path)
        for name, text in sections.items()
    ]


def probe_code(cell: Cell) -> str:
    """A probe as it is pasted: its imports and its function, without the example."""
    end = _functions(cell)[-1].end_lineno
    return "\n".join(cell.text.splitlines()[:end])


def _functions(cell: Cell) -> list[ast.FunctionDef]:
    body = ast.parse(cell.text).body
    return [node for node in body if isinstance(node, ast.FunctionDef)]


def forms_of(section: str) -> tuple[str, ...]:
    """The forms for `fit` in a section: blocks that import and define, and no more."""
    blocks = re.findall(
        r"^```python\n(.*?)^```", section.partition(IN_FIT)[2], re.S | re.M
    )
    return tuple(block.strip("\n") for block in blocks if _defines(block))


def _defines(block: str) -> bool:
    body = ast.parse(block).body
    kinds = ast.Import | ast.ImportFrom, ast.FunctionDef | ast.ClassDef
    return any(isinstance(n, kinds[1]) for n in body) and all(
        isinstance(node, kinds) for node in body
    )


def _parts(path: Path) -> tuple[dict, dict[str, str]]:
    """Cut triage.md into its header and its sections; without that file, nothing."""
    if not path.is_file():
        return {}, {}
    found = re.match(r"---\n(.*?)\n---\n", path.read_text(encoding="utf-8"), re.S)
    if found is None:
        raise CourseError(f"{path} must begin with a YAML header between two lines ---")
    try:
        header = yaml.safe_load(found[1])
    except yaml.YAMLError as error:
        raise CourseError(f"{path}: the header is no YAML: {error}") from error
    texts = re.split(r"^(?=### )", found.string[found.end() :], flags=re.M)[1:]
    return header, {text.split("\n")[0][4:]: text.strip("\n") for text in texts}


def _probe(
    name: str,
    text: str,
    facts: dict | None,
    code: str | None,
    source: Source,
    path: Path,
) -> Probe:
    if code is None:
        raise CourseError(
            f"{path} has a section {name}, but no cell of {source.path.name} whose key "
            'is "probe" or "probe-..." (but "probe-use") has a function of that name.'
        )
    if text.count(CODE) != 1:
        raise CourseError(
            f"{path}: the section {name} needs one line {CODE!r} for its code."
        )
    if text.count(f"\n{IN_FIT}\n") != 1:
        raise CourseError(
            f"{path}: the section {name} needs a part {IN_FIT!r}: a form of the probe "
            "for it, the line to write, or one sentence why there is none."
        )
    text = text.replace(CODE, f"```python\n{code}\n```")
    try:
        probe = Probe(name, source, code, text, forms_of(text), **(facts or {}))
    except TypeError as error:
        raise CourseError(f"{path}: the header of {name}: {error}") from error
    if probe.question not in (None, *QUESTIONS):
        raise CourseError(f"{path}: {name}: there is no question {probe.question}.")
    if not (probe.see or probe.also):
        raise CourseError(
            f"{path}: nothing leads to {name}. Say in the header under its name what "
            "one sees (see: {65: The loss jumps}; 65 is its place in the table), or "
            'behind which probe it comes (also: {row_report: ", {}"}).'
        )
    return probe
