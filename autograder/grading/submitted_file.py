"""Read a submitted file, which may hold anything, as a notebook of bounded size."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import nbformat
from nbformat import NotebookNode
from nbformat.corpus.words import generate_corpus_id as random_cell_id

from autograder.colab import COLAB
from autograder.grading.limits import Limits

CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Unreadable(Exception):
    """A file is no notebook that can be graded; says why, for the student."""


def read_file(data: bytes, limits: Limits) -> NotebookNode:
    """Return the notebook in a submitted file, without what does not count in it.

    Raises:
        Unreadable: there is none.
    """
    if len(data) > limits.file:
        raise Unreadable(
            f"the file has {len(data) / 2**20:.0f} MB; {limits.file / 2**20:.0f} MB "
            "are allowed (clear the outputs and hand it in again)"
        )
    if not data.strip():
        raise Unreadable("the file is empty")
    try:
        text = data.decode(json.detect_encoding(data))
        content = json.loads(text.rstrip("\0 \t\r\n"))  # a full disk leaves zeros
    except UnicodeDecodeError:  # the bytes of an old code page are not guessed
        raise Unreadable(
            "the file is not written in UTF-8, as notebooks are. Another program has "
            "changed it: open it there, save it as UTF-8, and hand it in again"
            if data.lstrip().startswith(b"{")
            else "the file is no notebook, but something else (a PDF?). Hand "
            "in the file whose name ends in .ipynb"
        ) from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the file is no notebook: {_kind(text, error)}") from None
    if not isinstance(content, dict) or "cells" not in content | _old(content):
        raise Unreadable("the file is JSON, but no notebook: it has no cells")
    _lighten(content, limits)
    try:
        for key in ("nbformat", "nbformat_minor"):
            if str(content.get(key)).isdecimal():
                content[key] = int(content[key])  # some programs write it as text
        notebook = nbformat.reads(json.dumps(content), as_version=4)
        seen: set[str] = set()
        for place, cell in enumerate(notebook.cells):
            if not isinstance(cell.source, str):
                raise TypeError("a cell's source is no text")
            # an editor under Windows may have made its line ends those of this file
            cell.source = _encodable(cell.source).replace("\r\n", "\n")
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
            mark = mark_of(cell)  # the rest of the metadata says nothing that counts
            cell.metadata = {"nbgrader": {"grade_id": mark}} if mark else {}
            cell["id"] = _own_id(cell, place, seen)
        notebook.metadata = {}
        notebook = nbformat.from_dict(notebook)
        notebook.nbformat_minor = 5
        nbformat.validate(notebook, relax_add_props=True)
    except Exception as error:
        raise Unreadable(
            "the file is no notebook that can be read "
            f"({type(error).__name__}: {str(error).splitlines()[0][:200]})"
        ) from None
    return notebook


def _lighten(content: dict, limits: Limits) -> None:
    """Take out what does not count before anything recursive sees it; in place."""
    cells = content.get("cells")
    if not isinstance(cells, list):
        return
    if len(cells) > limits.cells:
        raise Unreadable(
            f"the notebook has {len(cells)} cells; {limits.cells} are allowed"
        )
    content["metadata"] = {}
    content["cells"] = cells = [cell for cell in cells if not _is_of_colab(cell)]
    ids: set[str] = set()
    for place, cell in enumerate(cells):
        if not isinstance(cell, dict):
            continue
        if "id" in cell:  # before nbformat complains about equal ones
            cell["id"] = _own_id(cell, place, ids)
        if "outputs" in cell:
            cell["outputs"] = []
        metadata = cell.get("metadata")
        mark = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        name = mark.get("grade_id") if isinstance(mark, dict) else None
        cell["metadata"] = {"nbgrader": {"grade_id": name}} if _is_text(name) else {}
        if not _are_attachments(cell.get("attachments")):
            cell.pop("attachments", None)


def _is_of_colab(cell: object) -> bool:
    """Whether it is the cell that installs the course there: nothing to do here."""
    metadata = cell.get("metadata") if isinstance(cell, dict) else None
    return isinstance(metadata, dict) and metadata.get("role") == COLAB


def _are_attachments(value: object) -> bool:
    """Whether it is name -> type -> text, as notebooks keep pasted pictures."""
    return isinstance(value, dict) and all(
        isinstance(each, dict) and all(map(_is_text, (name, *each, *each.values())))
        for name, each in value.items()
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value == _encodable(value)


def _encodable(text: str) -> str:
    """The text with a question mark for what no file can hold (half a character)."""
    return text.encode(errors="replace").decode()


def _old(content: dict) -> dict:
    """What stands in for `cells` in nbformat 3."""
    sheets = content.get("worksheets")
    return {"cells": sheets} if isinstance(sheets, list) else {}


def leave_out_long(notebook: NotebookNode, limits: Limits) -> tuple[str, ...]:
    """Empty code cells that are too long to be read; say so for the student."""
    reasons = []
    for cell in notebook.cells:
        size = len(cell.source)
        if cell.cell_type == "code" and size > limits.source:
            cell.source = f"# left out by the grader: {size} characters"
            reasons.append(
                f"a cell with {size / 2**10:.0f} KB of code was left out; "
                f"{limits.source / 2**10:.0f} KB are allowed"
            )
    return tuple(reasons)


def _kind(text: str, error: ValueError | RecursionError) -> str:
    """Say what a text is instead of a notebook, and what to do."""
    start = text.lstrip().lower()
    if start.startswith(("<!doctype", "<html")):
        return "it is a web page, such as one to sign in. Download the notebook again"
    if start.startswith("version https://git-lfs"):
        return "it is a pointer of Git LFS. Get the file itself with `git lfs pull`"
    if re.search(r"^\s*<{7} ", text, re.MULTILINE):
        return "git left marks of a merge in it (<<<<<<<). Undo the merge in that file"
    if isinstance(error, RecursionError):
        return "it is nested too deeply. It may have been saved by another program"
    if not isinstance(error, json.JSONDecodeError):
        return "it has a number with thousands of digits"
    ends = error.msg.startswith("Unterminated") or error.pos >= len(text.rstrip()) - 1
    if start.startswith("{") and ends:
        return "it ends in the middle. Save it and hand it in again"
    return (
        f"its text is none from line {error.lineno} on. It may have been damaged on "
        "its way, or saved by another program"
    )


def mark_of(cell: NotebookNode) -> str | None:
    """The name that the course gave this cell, if it looks like one."""
    mark = cell.metadata.get("nbgrader")
    found = mark.get("grade_id") if isinstance(mark, dict) else None
    return found if isinstance(found, str) else None


def _own_id(cell: Mapping, place: int, seen: set[str]) -> str:
    """The cell's id, or a new one where it has none that is valid and its own."""
    found = cell.get("id")
    if not isinstance(found, str) or not CELL_ID.fullmatch(found) or found in seen:
        found = f"cell-{place}-{random_cell_id()}"
    seen.add(found)
    return found
