"""Feedback pages: nbgrader's own, which name the exercises and fetch nothing.

They say first what the core is worth; and hints look like hints.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import nbformat
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbformat import NotebookNode
from nbgrader.converters import GenerateFeedback
from traitlets.config import Config

from autograder.core_first import Worth
from autograder.grading.prepare import resources_of
from autograder.grading.verdict_cells import checks_in
from course.whole_files import write_whole

SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL)
SILENT = re.compile(r"<img(?![^>]*\salt=)")
SCORE = re.compile(r"<h4>(.*?) \(Score: [^)]*\)</h4>")
LISTED = re.compile(
    r'<li><a href="#([^"]*)">[^<]*</a> \(Score: ([\d.]+) / ([\d.]+)\)</li>'
)
# Bootstrap takes the triangle from what is folded; its grey on blue is hard to read
STYLE = """<style>
summary { display: list-item; cursor: pointer; color: #23527c; }
summary:hover { text-decoration: underline; }
div.nbgrader_cell .panel-heading a { color: #fff; text-decoration: underline; }
</style>
</head>"""
CACHED_CELLS = 500  # most cells are the same in all submissions
DESCRIBED = '<img alt="No description has been provided for this image"'


class _Exporter(HTMLExporter):
    """nbconvert's, which does not parse each page once more.

    It would look for parts of another template, and for pictures without a text.
    """

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict | None = None, **options: object
    ) -> tuple[str, dict]:
        self.register_filter("highlight_code", self._highlighted)
        made = TemplateExporter.from_notebook_node(self, nb, resources, **options)
        return SILENT.sub(DESCRIBED, made[0]), made[1]

    @functools.cached_property
    def _highlighted(self) -> Callable[..., str]:
        """The filter of nbconvert, with a cache."""
        highlight = Highlight2HTML(pygments_lexer="ipython3", parent=self)

        @functools.lru_cache(CACHED_CELLS)
        def cached(source: str, language: str | None, magic: str | None) -> str:
            metadata = {"magics_language": magic} if magic else {}
            return highlight(source, language, metadata)

        def highlighted(
            source: str, language: str | None = None, metadata: Mapping | None = None
        ) -> str:
            return cached(source, language, (metadata or {}).get("magics_language"))

        return highlighted


class Feedback:
    """Renders feedback pages, with one exporter for all."""

    def __init__(self, config: Config) -> None:
        """Prepare the exporter: its templates are read once."""
        self._config = config
        converter = GenerateFeedback(coursedir=None, config=config)
        merged = Config(config)
        merged.merge(converter.config)
        self._exporter = _Exporter(config=merged)
        for each in config.GenerateFeedback.preprocessors:
            self._exporter.register_preprocessor(each, enabled=True)

    def write(self, autograded: Path, student: str, name: str, page: Path) -> None:
        """Render the page that `nbgrader generate_feedback` would write.

        It calls each check "Test cell", adds up core and further exercises, shows what
        is folded as plain text, and fetches a program for formulas, of which the course
        has none; all this is put right.
        """
        notebook = nbformat.read(autograded, as_version=4)
        resources = resources_of(name, student, self._config)
        text, _ = self._exporter.from_notebook_node(notebook, resources=resources)
        text = SCRIPTS.sub("", text).replace("</head>", STYLE, 1)
        text = _core_first(_named(text, notebook), notebook)
        write_whole(page, re.sub(r"[\ud800-\udfff]", "?", text).encode())


def _named(page: str, notebook: NotebookNode) -> str:
    """The page with the exercises' names, in its contents and above the checks."""
    for number, exercise in checks_in(notebook):
        grade_id = notebook.cells[number].metadata.nbgrader.grade_id
        link, name = f'<a href="#{grade_id}">', html.escape(exercise)
        page = page.replace(f"{link}Test cell</a>", f"{link}{name}</a>")
        heading = f"Grade cell: <code>{grade_id}</code>"
        page = page.replace(heading, f"Check of <code>{name}</code>")
        comment = f'<a href="#comment-{grade_id.removesuffix("-check")}-fix">Comment'
        page = page.replace(f"{comment}</a>", f"{comment} on {name}</a>")
    return page


def _core_first(page: str, notebook: NotebookNode) -> str:
    """The page, whose heading tells the core from the further exercises."""
    further = {
        each.metadata.get("nbgrader", {}).get("grade_id")
        for each in notebook.cells
        if each.metadata.get("beat") == "further"  # as prepared, each of them says so
    }
    worth = Worth.of(
        (html.unescape(mark) in further, float(points), float(most))
        for mark, points, most in LISTED.findall(page)
    )
    return SCORE.sub(rf"<h4>\1: {worth}</h4>", page, count=1)
