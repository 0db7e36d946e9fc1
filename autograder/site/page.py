"""A page of the site: an executed solution notebook that keeps its answers folded."""

from __future__ import annotations

import copy
import re

from nbformat import NotebookNode, v4

from autograder.published import Published
from autograder.site.films import Widgets, as_html
from autograder.site.links import Links
from autograder.site.questions import question
from course.checks.verdicts import MIME_TYPE as VERDICT

FOLDED = {
    "setup": ("Show the set-up", "Hide the set-up"),
    "fix": ("Show a solution", "Hide the solution"),
    "hidden": ("Show the code", "Hide the code"),
}
HINTS = "<details><summary>Hint"
NOBODY = "You made no prediction. "  # nobody does, while a page is made


def page_of(notebook: NotebookNode, links: Links) -> NotebookNode:
    """Return the page of an executed solution notebook, for MyST-NB.

    Setup and solutions are folded, checks left out; the prediction asks, films move.
    """
    facts, widgets = notebook.metadata["course"], Widgets.of(notebook)
    path = f"solutions/{facts['name']}/{facts['name']}.ipynb"
    cells: list[NotebookNode] = []
    solution: list[NotebookNode] = []  # it waits until its hints stand above it
    for cell in copy.deepcopy(notebook.cells):
        role = cell.metadata.get("role")
        if role == "fix":
            solution.append(_code(cell, widgets))
        elif cell.cell_type == "markdown":
            told = v4.new_markdown_cell(_text(cell, path, links))
            hints = cell.source.startswith(HINTS)
            cells += [told, *solution] if hints else [*solution, told]
            solution = []
        elif re.match(r"predict\(", cell.source):
            cells.append(v4.new_markdown_cell(question(facts["number"])))
        elif role != "check":
            cells.append(_code(cell, widgets))
    if links.published:
        launches = _launches(facts["name"], links.published)
        cells.insert(1, v4.new_markdown_cell(launches))
    kept = {name: notebook.metadata[name] for name in ("kernelspec", "language_info")}
    return v4.new_notebook(cells=cells, metadata=kept)


def _text(cell: NotebookNode, path: str, links: Links) -> str:
    text = links.linked(cell.source, path)
    why = cell.metadata.get("solution_only")
    return _details("Why this is right", text) if why else text


def _code(cell: NotebookNode, widgets: Widgets) -> NotebookNode:
    role = cell.metadata.get("role")
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
    kind = role if role in FOLDED else "hidden" if hidden else None
    metadata = {}
    if kind:
        show, hide = FOLDED[kind]
        prompts = {"code_prompt_show": show, "code_prompt_hide": hide}
        metadata = {"tags": ["hide-input"], "mystnb": prompts}
    outputs = [_output(each, widgets) for each in cell.outputs]
    shown = [each for each in outputs if each is not None]
    return v4.new_code_cell(cell.source, metadata=metadata, outputs=shown)


def _output(output: NotebookNode, widgets: Widgets) -> NotebookNode | None:
    """An output as a page can show it; None for what says nothing there."""
    if "data" not in output:
        return output
    if VERDICT in output.data:
        return None
    text = as_html(output.data, widgets)
    if text is None:
        return output
    text = text.replace(NOBODY, "")
    return v4.new_output("display_data", {"text/html": text}) if text.strip() else None


def _details(summary: str, text: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def _launches(name: str, published: Published) -> str:
    links = [f"[Open on Binder]({published.on_binder(name)})"]
    if published.has_colab:
        links.insert(0, f"[Open in Colab]({published.on_colab(name)})")
    return " · ".join(links)
