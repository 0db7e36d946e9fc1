"""A page of the site: an executed solution notebook that keeps its answers folded."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nbformat import NotebookNode, v4

from autograder.published import Published
from autograder.site.films import Widgets, as_html
from autograder.site.links import Links
from autograder.site.questions import question
from course.checks.verdicts import MIME_TYPE as VERDICT

FOLDED = {
    "setup": ("Show the set-up", "Hide the set-up"),
    "fix": (
        "Show a solution (in the notebook, you write yours here, and a check answers)",
        "Hide the solution",
    ),
    "came": ("Show what came", "Hide what came"),
    "hidden": ("Show the code", "Hide the code"),
}
PREDICT = re.compile(r"## \d+ · Predict")
# a smaller question, about the cell below it
ASKS_ABOUT_A_CELL = re.compile(
    r"before\s+you\s+run\s+the\s+cell|do\s+you\s+expect", re.I
)
HINTS = "<details><summary>Hint"
ASKS = re.compile(r"^predict\(.*\n?", re.MULTILINE)
# a learner's own progress: nobody has any on a page
OF_A_LEARNER = re.compile(r"^course_map\(", re.MULTILINE)
# what the notebooks say of themselves (patterns), and what is so on a page
ON_THE_SITE = {
    r"cause, probe and fix stand folded at the end\)": '<a href="#in-a-hurry">cause, '
    "probe and fix</a>)",
    r"<details>\n<summary>In a hurry": '<details id="in-a-hurry">\n<summary>In a hurry',
    r"click\s+on\s+the\s+three\s+dots": "click on “Show the code”",
    r"Run the cells: \*\*Shift \+ Enter\*\*\.": "In the notebook, you run the cells.",
    r"### The control panel": "### The control panel, which needs the notebook",
}
NOBODY = "You made no prediction. "  # nobody does, while a page is made


def page_of(notebook: NotebookNode, links: Links) -> NotebookNode:
    """Return the page of an executed solution notebook, for MyST-NB.

    Setup and solutions are folded, checks left out; the prediction asks, films move.
    """
    name, number = (notebook.metadata["course"][key] for key in ("name", "number"))
    path = f"solutions/{name}/{name}.ipynb"
    page = _Page(path, number, links, Widgets.of(notebook))
    cells = list(page.cells(copy.deepcopy(notebook.cells)))
    if links.published:
        cells.insert(1, v4.new_markdown_cell(_launches(name, links.published)))
    kept = {name: notebook.metadata[name] for name in ("kernelspec", "language_info")}
    return v4.new_notebook(cells=cells, metadata=kept)


@dataclass(frozen=True)
class _Page:
    """What a page's cells are made with; path is the notebook's in the repository."""

    path: str
    number: str
    links: Links
    widgets: Widgets

    def cells(self, cells: Sequence[NotebookNode]) -> Iterator[NotebookNode]:
        """Yield the page's cells: a solution waits until its hints stand above it."""
        solution: list[NotebookNode] = []
        asking = False  # about what stands from the heading to the question
        asked = False  # and not yet shown what came, a picture
        asked_small = False  # and not yet shown what came, of any kind
        for cell in cells:
            role = cell.metadata.get("role")
            if PREDICT.match(cell.source):
                asking = True
            if cell.cell_type == "markdown" and ASKS_ABOUT_A_CELL.search(cell.source):
                asked_small = True
            if role == "fix":
                solution.append(self.code(cell))
            elif cell.cell_type == "markdown":
                told = v4.new_markdown_cell(self.text(cell))
                hints = cell.source.startswith(HINTS)
                yield from [told, *solution] if hints else [*solution, told]
                solution = []
            elif ASKS.search(cell.source):
                cell.source = ASKS.sub("", cell.source).rstrip()
                cell.outputs = [each for each in cell.outputs if "data" not in each]
                if cell.source:
                    yield self.code(cell)
                yield v4.new_markdown_cell(question(self.number))
                asking, asked = False, True
            elif role != "check" and not OF_A_LEARNER.search(cell.source):
                code = self.code(cell, folded=not asking)
                picture = any("data" in each for each in code.outputs)
                if (asked and picture) or (asked_small and code.outputs):
                    _fold(code, "came", "hide-output")
                    asked, asked_small = asked and not picture, False
                yield code
        yield from solution

    def text(self, cell: NotebookNode) -> str:
        """A Markdown cell's text; what explains a solution is folded, too."""
        text = self.links.linked(cell.source, self.path)
        for said, here in ON_THE_SITE.items():
            text = re.sub(said, here, text)
        if not cell.metadata.get("solution_only"):
            return text
        return f"<details><summary>Why this is right</summary>\n\n{text}\n\n</details>"

    def code(self, cell: NotebookNode, *, folded: bool = True) -> NotebookNode:
        """A code cell: folded where it answers, or only prepares."""
        role = cell.metadata.get("role")
        hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
        kind = role if role in FOLDED else "hidden" if hidden else None
        outputs = [each for each in map(self.output, cell.outputs) if each is not None]
        code = v4.new_code_cell(cell.source, outputs=outputs)
        if kind and folded:
            _fold(code, kind, "hide-input")
        return code

    def output(self, output: NotebookNode) -> NotebookNode | None:
        """An output as a page can show it; None for what says nothing there."""
        if "data" not in output:
            return output
        if VERDICT in output.data:
            return None
        text = as_html(output.data, self.widgets)
        if text is None:
            return output
        told = self.links.linked_html(text.replace(NOBODY, ""), self.path)
        data = {"text/html": told}
        return v4.new_output("display_data", data) if told.strip() else None


def _fold(cell: NotebookNode, kind: str, tag: str) -> None:
    """Fold a code cell's code or outputs, with words of our own for the fold."""
    show, hide = FOLDED[kind]
    cell.metadata["tags"] = [tag]
    cell.metadata["mystnb"] = {"code_prompt_show": show, "code_prompt_hide": hide}


def _launches(name: str, published: Published) -> str:
    links = [f"[Open on Binder]({published.on_binder(name)})"]
    if published.has_colab:
        links.insert(0, f"[Open in Colab]({published.on_colab(name)})")
    return " · ".join(links)
