"""Notebooks as Colab opens them: with one cell more, and links that lead on."""

from __future__ import annotations

import copy
import posixpath
import re
from pathlib import Path

from nbformat import NotebookNode, v4

from autograder.published import Published
from autograder.stamp import set_stamp

FIRST = Path(__file__).with_name("colab_first_cell.py")
COLAB = "colab"  # the first cell's id and role
FOLDED = {"role": COLAB, "cellView": "form"}  # Colab shows its title and a button
SOURCE = "SOURCE"  # stands in FIRST for what pip installs


def colab_version(
    notebook: NotebookNode, source: str, published: Published | None = None
) -> NotebookNode:
    """Return a copy whose first code cell installs the course where it is missing.

    notebook: a learner's or a solution notebook.
    source: what pip installs: an address or a path.
    published: where the repository is; links to its other files then lead there.
    """
    made = copy.deepcopy(notebook)
    code = FIRST.read_text(encoding="utf-8").partition('"""\n\n')[2]
    cell = v4.new_code_cell(code.replace(SOURCE, source).rstrip(), id=COLAB)
    cell.metadata.update(FOLDED)
    made.cells.insert(1, cell)  # below the title
    if published:
        name = notebook.metadata["course"]["name"]
        for each in made.cells:
            if each.cell_type == "markdown":
                each.source = _linked(each.source, f"notebooks/{name}", published)
    set_stamp(made)
    return made


def _linked(text: str, folder: str, published: Published) -> str:
    """Make links to the repository's files whole: notebooks open in Colab, too."""

    def whole(found: re.Match) -> str:
        path = posixpath.normpath(posixpath.join(folder, found[1]))
        if notebook := re.fullmatch(r"notebooks/(\w+)/\1\.ipynb", path):
            return f"]({published.on_colab(notebook[1])})"
        return f"]({published.file(path)})"

    return re.sub(r"\]\((\.\./[^)\s]+)\)", whole, text)
